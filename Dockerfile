# syntax=docker/dockerfile:1

# The service alone: DATABASE_URL has to be set. See compose.yaml.
ARG NODE=node:24-slim

# Builds on the machine's own processor, whatever the image is for: what it makes runs on all of them.
FROM --platform=$BUILDPLATFORM ${NODE} AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# Nothing that is installed has to run a script of its own, and none gets to.
RUN npm ci --ignore-scripts
COPY tsconfig*.json prisma.config.ts LICENSE ./
COPY prisma ./prisma
COPY src ./src
COPY scripts ./scripts
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
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/service/main.js"]
