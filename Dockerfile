# The suite and the reference server in one image.
#   docker build -t token-assay .
#   docker run --rm --user "$(id -u):$(id -g)" -e TOKEN_ASSAY_PASSWORD -v "$PWD:/work" token-assay run \
#     https://accounts.example --user-name alice      (as yourself: the report is written into your folder)
#   docker run --rm -p 8080:5000 -e TOKEN_ASSAY_PASSWORD token-assay serve --host 0.0.0.0 --user-name alice
# tools/image-steps.sh takes the same steps where there is no container engine.

FROM node:24.11.1-trixie-slim@sha256:4623e8ac1eb5f35b0a91b85424283c1b97a416a77375dfa6a2e9bfb0b2c351c9 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

# What is needed to run, of the versions in the lock file.
FROM node:24.11.1-trixie-slim@sha256:4623e8ac1eb5f35b0a91b85424283c1b97a416a77375dfa6a2e9bfb0b2c351c9 AS production
WORKDIR /opt/token-assay
COPY package.json package-lock.json ./
# Not --omit=peer: npm 11.6 drops ajv and yaml with it, since development tools name them as peers too.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY --from=build /build/dist dist
COPY --from=build /build/spec/schemas spec/schemas
# Nothing is missing that a run needs.
RUN node dist/cli/main.js run --embedded --only '2.1/*' --out /tmp/report --quiet && rm -r /tmp/report

FROM node:24.11.1-trixie-slim@sha256:4623e8ac1eb5f35b0a91b85424283c1b97a416a77375dfa6a2e9bfb0b2c351c9
ENV NODE_ENV=production
COPY --from=production /opt/token-assay /opt/token-assay
RUN ln -s /opt/token-assay/dist/cli/main.js /usr/local/bin/token-assay \
  && chmod 0755 /opt/token-assay/dist/cli/main.js \
  && install -d -o node -g node /work
USER node
# Reports are written here.
WORKDIR /work
EXPOSE 5000
# Of `serve`: any answer will do, by HTTPS too. Served at another port by a flag or below a path, it needs TOKEN_ASSAY_URL.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "const url = process.env.TOKEN_ASSAY_URL ?? 'http://127.0.0.1:' + (process.env.TOKEN_ASSAY_PORT || 5000); const ask = (at) => new Promise((yes, no) => require(at.split(':')[0]).get(at + '/Token', { rejectUnauthorized: false }, yes).on('error', no)); ask(url).catch(() => ask(url.replace(/^http:/, 'https:'))).then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["token-assay"]
CMD ["serve", "--host", "0.0.0.0"]
