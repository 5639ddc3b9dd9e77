# Builds the service, and runs it as a user without privileges. This project's CI does not build this file.
#
# The base images have exact tags. If a registry can be reached, `node scripts/pin-images.mjs` adds their digests.

FROM node:22.23.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY cli/package.json ./cli/
COPY console/package.json ./console/
COPY examples/site/package.json ./examples/site/
RUN npm ci --include=dev
COPY scripts/build.mjs scripts/compile.mjs scripts/guides.mjs scripts/console.mjs scripts/cached-build.mjs ./scripts/
COPY scripts/demo-articles.mjs scripts/demo-magazine.mjs ./scripts/
COPY scripts/guides ./scripts/guides
COPY scripts/client ./scripts/client
COPY scripts/cli ./scripts/cli
COPY scripts/console ./scripts/console
COPY client ./client
COPY console ./console
COPY src ./src
COPY extensions ./extensions
COPY docs ./docs
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/@trivet

FROM node:22.23.2-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The command starts Node directly, so signals reach the service itself.
CMD ["node", "dist/src/main.js"]
