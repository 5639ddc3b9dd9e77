/** Sends requests of one tenant to one service, for scenarios that start services themselves. */
import { ask, multipart, send } from './ask.mjs';

export class Client {
  constructor(service, { tenantId, key }) {
    Object.assign(this, { service, tenantId, key });
    this.types = `/v1/content/${tenantId}/types`;
    this.forms = `/v1/forms/${tenantId}`;
    this.media = `/v1/media/${tenantId}`;
    this.webhooks = `/v1/webhooks/${tenantId}`;
  }

  /** Returns the response, or {status: an error's code} without one. */
  send(method, path, body, options = {}) {
    const { key, service } = this;
    return send({ port: service.port, key, method, path, body, ...options }).catch((error) => ({
      status: error.code ?? error.message,
      headers: {},
      text: '',
    }));
  }

  /** Returns the `data` of a successful response. Throws for any other. */
  async ask(method, path, body) {
    const { key, service } = this;
    return (await ask({ port: service.port, key, method, path, body })).data;
  }

  upload(file, filename) {
    const { body, headers } = multipart(file, filename);
    return this.send('POST', this.media, body, { headers });
  }
}
