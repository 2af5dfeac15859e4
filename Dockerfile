# Builds a small image: Node, the code and the packages that a server with its own PostgreSQL needs. See docs/deployment.md.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /tidemark
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
COPY scripts/slim.mjs ./scripts/slim.mjs
COPY scripts/install ./scripts/install
RUN npm ci --omit=dev --omit=optional && node scripts/slim.mjs

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787
WORKDIR /tidemark
COPY --from=packages /tidemark/node_modules ./node_modules
COPY package.json CHANGELOG.md ./
COPY addon ./addon
COPY clients/excel ./clients/excel
COPY docs ./docs
COPY deploy/healthy.mjs ./deploy/healthy.mjs
COPY scripts ./scripts
COPY db ./db
COPY pipeline ./pipeline
COPY server ./server
# Node keeps compiled modules for each user. The user of the server may read them, but not change them.
RUN install --directory --owner=node node_modules/.cache \
  && setpriv --reuid=node --regid=node --clear-groups node scripts/install/store-modules.mjs \
  && chown --recursive root:root node_modules/.cache \
  && chmod --recursive a+rX node_modules/.cache
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "deploy/healthy.mjs"]
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=60", "--import", "./pipeline/compile-cache.mjs", "server/main.ts"]
