# syntax=docker/dockerfile:1

# What runs is a database of its own and this program: DATABASE_URL has to be set. See compose.yaml.
ARG NODE=node:24-slim

# Builds on the machine's own processor, whatever the image is for: what it makes runs on all of them, and the stage below runs nothing.
FROM --platform=$BUILDPLATFORM ${NODE} AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# Nothing that is installed has to run a script of its own, and none gets to.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json prisma.config.ts ./
COPY prisma ./prisma
COPY src ./src
COPY scripts/check-node.mjs scripts/bundle-cli.mjs scripts/bundle-page.mjs ./scripts/
COPY docs/command-line.md ./docs/
COPY LICENSE ./
# What is optional is the embedded PostgreSQL, 110 MB of programs.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM ${NODE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The program applies its migrations itself, when it starts.
COPY prisma/migrations ./prisma/migrations
COPY package.json LICENSE ./
# It writes nothing: all of it belongs to root.
USER node
EXPOSE 3000
# Where the probes have a port of their own, a burst of clients that connect does not hold them up.
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/service/main.js"]
