import type { AddressInfo, Server } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/** The base URL under which clients reach the service. With `PORT=0` it contains the port that the system chose. */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  get base(): string {
    const { port, publicUrl } = this.config;
    if (port !== 0) return publicUrl;
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const address = server.address() as AddressInfo | null;
    return address ? publicUrl.replace(/:0$/, `:${address.port}`) : publicUrl;
  }
}
