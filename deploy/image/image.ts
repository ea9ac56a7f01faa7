import type { Architecture } from './application.ts'
import { NODE, PREFIX, STATE, USER } from './layers.ts'
import { SBOM_TYPE } from './sbom.ts'
import { type Blob, jsonBlob, type Layer } from './tar.ts'

export const TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  empty: 'application/vnd.oci.empty.v1+json',
} as const

export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export const describe = (mediaType: string, { digest, bytes }: Blob): Descriptor => ({
  mediaType,
  digest,
  size: bytes.length,
})

export interface About {
  readonly version: string
  /** When, as SOURCE_DATE_EPOCH or the commit has it. */
  readonly created: string
  readonly revision: string
}

const annotations = ({ version, created, revision }: About) => ({
  'org.opencontainers.image.title': 'Rollcall',
  'org.opencontainers.image.description': 'Subscriptions with double opt-in, and user administration with roles',
  'org.opencontainers.image.source': 'https://github.com/rollcall/rollcall',
  'org.opencontainers.image.licenses': 'MIT',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.created': created,
  'org.opencontainers.image.revision': revision,
})

const SECOND = 1_000_000_000

const configOf = (architecture: Architecture, layers: readonly Layer[], about: About): Blob =>
  jsonBlob({
    created: about.created,
    architecture,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '8080/tcp': {} },
      Env: ['PATH=/usr/local/bin', 'ROLLCALL_HOST=0.0.0.0', `ROLLCALL_DATA_DIR=${STATE}/data`],
      Entrypoint: ['rollcall'],
      Cmd: ['serve'],
      Volumes: { [STATE]: {} },
      WorkingDir: STATE,
      StopSignal: 'SIGTERM',
      Labels: annotations(about),
      // Not of OCI: Docker and its relatives read it, others leave it alone.
      Healthcheck: {
        Test: ['CMD', NODE, `${PREFIX}/healthcheck.cjs`],
        Interval: 30 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 30 * SECOND,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['libraries', 'Node.js', 'Rollcall'].map((comment) => ({ created: about.created, comment })),
  })

export interface Image {
  readonly architecture: Architecture
  readonly manifest: Blob
  readonly blobs: readonly Blob[]
  /** What a registry transfers: the manifest, the configuration and the layers. */
  readonly compressedBytes: number
}

export const imageOf = (architecture: Architecture, layers: readonly Layer[], about: About): Image => {
  const config = configOf(architecture, layers, about)
  const manifest = jsonBlob({
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    config: describe(TYPES.config, config),
    layers: layers.map((layer) => describe(TYPES.layer, layer)),
    annotations: annotations(about),
  })
  const blobs = [config, ...layers]
  const compressedBytes = [manifest, ...blobs].reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { architecture, manifest, blobs, compressedBytes }
}

export interface Attachment {
  readonly manifest: Blob
  readonly blobs: readonly Blob[]
}

/** A manifest of its own whose subject is the image: a registry lists it among the referrers of the image. */
export const attachedSbom = (image: Image, sbom: Blob): Attachment => {
  const empty = jsonBlob({})
  const manifest = jsonBlob({
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    artifactType: SBOM_TYPE,
    config: describe(TYPES.empty, empty),
    layers: [describe(SBOM_TYPE, sbom)],
    subject: describe(TYPES.manifest, image.manifest),
  })
  return { manifest, blobs: [empty, sbom] }
}

/**
 * All images under one name. What is attached to them is here, too, as images for no platform: so it goes wherever the
 * index is copied to, also by programs that know nothing of referrers.
 */
export const indexOf = (images: readonly { image: Image; attachment: Attachment }[], about: About): Blob =>
  jsonBlob({
    schemaVersion: 2,
    mediaType: TYPES.index,
    manifests: [
      ...images.map(({ image }) => ({
        ...describe(TYPES.manifest, image.manifest),
        platform: { architecture: image.architecture, os: 'linux' },
      })),
      ...images.map(({ attachment }) => ({
        ...describe(TYPES.manifest, attachment.manifest),
        platform: { architecture: 'unknown', os: 'unknown' },
      })),
    ],
    annotations: annotations(about),
  })
