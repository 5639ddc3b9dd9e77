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

  /** The URL under which people reach the console, whose paths begin with `/console`: `CONSOLE_URL`, or the base. */
  get console(): string {
    return this.config.consoleUrl ?? this.base;
  }

  /** Whether an origin is that of the service or of the console. */
  isOwn(origin: string): boolean {
    const own = [this.base, this.console].map((url) => withOneLoopback(new URL(url).origin));
    return own.includes(withOneLoopback(origin));
  }

  /** The path of the base, without a slash at its end. */
  get basePath(): string {
    return new URL(this.base).pathname.replace(/\/$/, '');
  }
}

/** A browser on the machine of the service may name it in each of these ways, whichever `PUBLIC_URL` contains. */
const LOOPBACK = /^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=$|[:/])/;

/** Returns the URL with one spelling of the machine's own address, so that URLs of the service can be compared. */
export function withOneLoopback(url: string): string {
  return url.replace(LOOPBACK, '$1localhost');
}
