import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Architecture } from './application.ts'
import { readBase } from './debian.ts'
import { textEntry, withFolders } from './files.ts'
import { type About, attachedSbom, type Descriptor, describe, type Image, imageOf, indexOf, TYPES } from './image.ts'
import { applicationLayer, baseLayer, nodeLayer } from './layers.ts'
import { nodeRuntime } from './node-runtime.ts'
import { sbomOf } from './sbom.ts'
import { type Blob, jsonBlob, tarOf } from './tar.ts'

/**
 * Builds the image for both processors, without a daemon and without root, into the folder `image`, or the one named:
 *
 *     npm run image
 *     npm run image -- /tmp/somewhere
 *
 * It leaves an OCI layout (`layout`), the same as one file (`rollcall-oci.tar`), and a bill of materials of each image.
 * The same commit makes the same bytes; what it downloads once is checked by its hash and kept.
 */

const ROOT = path.join(import.meta.dirname, '../..')
const ARCHITECTURES: readonly Architecture[] = ['amd64', 'arm64']

const git = (...args: readonly string[]): string => {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

const about = async (): Promise<About> => {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const { SOURCE_DATE_EPOCH } = process.env
  const seconds = Number(SOURCE_DATE_EPOCH ?? (git('log', '-1', '--format=%ct') || 0))
  const created = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
  return { version, created, revision: git('rev-parse', 'HEAD') }
}

export interface BuiltImage {
  readonly architecture: Architecture
  readonly digest: string
  readonly compressedBytes: number
}

export interface Built {
  /** Of the index, which names the images of all processors. */
  readonly digest: string
  readonly images: readonly BuiltImage[]
}

/** Writes the layout, the archive and the bills of materials into the folder. */
export const buildImage = async (folder: string, architectures = ARCHITECTURES): Promise<Built> => {
  const of = await about()
  const built = []
  for (const architecture of architectures) built.push(await withSbom(architecture, of))
  const index = indexOf(built, of)
  const blobs = built.flatMap(({ image, attachment }) => [
    image.manifest,
    ...image.blobs,
    attachment.manifest,
    ...attachment.blobs,
  ])
  await rm(folder, { recursive: true, force: true })
  await writeLayout(folder, [index, ...blobs], {
    schemaVersion: 2,
    mediaType: TYPES.index,
    manifests: [{ ...describe(TYPES.index, index), annotations: { 'org.opencontainers.image.ref.name': of.version } }],
  })
  for (const { image, sbom } of built)
    await writeFile(path.join(folder, `rollcall-${image.architecture}.cdx.json`), sbom.bytes)
  const images = built.map(({ image: { architecture, manifest, compressedBytes } }) => {
    return { architecture, digest: manifest.digest, compressedBytes }
  })
  return { digest: index.digest, images }
}

/** What a build has left in the folder. */
export const readBuilt = async (folder: string): Promise<Built> => {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, 'layout', file), 'utf8'))
  const blob = (digest: string) => read(`blobs/${digest.replace(':', '/')}`)
  const [{ digest }] = (await read('index.json')).manifests
  const images: BuiltImage[] = []
  for (const { digest: of, platform, size } of (await blob(digest)).manifests) {
    if (platform.os !== 'linux') continue
    const { config, layers }: { config: Descriptor; layers: readonly Descriptor[] } = await blob(of)
    const compressedBytes = [{ size }, config, ...layers].reduce((sum, one) => sum + one.size, 0)
    images.push({ architecture: platform.architecture, digest: of, compressedBytes })
  }
  return { digest, images }
}

const withSbom = async (architecture: Architecture, of: About) => {
  const base = await readBase()
  const node = await nodeRuntime(architecture)
  const application = await applicationLayer()
  const layers = [...(await Promise.all([baseLayer(base, architecture), nodeLayer(node)])), application]
  const image: Image = imageOf(architecture, layers, of)
  const { packages } = application
  const contents = { ...of, architecture, base, node, packages, digest: image.manifest.digest }
  const sbom = jsonBlob(sbomOf(contents))
  return { image, sbom, attachment: attachedSbom(image, sbom) }
}

const writeLayout = async (folder: string, blobs: readonly Blob[], index: object): Promise<void> => {
  const unique = [...new Map(blobs.map((blob) => [blob.digest, blob])).values()]
  const entries = [
    textEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    textEntry('index.json', JSON.stringify(index)),
    ...unique.map(({ digest, bytes }) => ({
      name: `blobs/${digest.replace(':', '/')}`,
      mode: 0o644,
      content: bytes,
    })),
  ]
  for (const { name, content } of entries) {
    const file = path.join(folder, 'layout', name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content ?? '')
  }
  await writeFile(path.join(folder, 'rollcall-oci.tar'), tarOf(withFolders(entries)))
}

if (import.meta.main) {
  const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'image'))
  const { digest, images } = await buildImage(folder)
  for (const { architecture, compressedBytes } of images)
    process.stdout.write(`linux/${architecture}  ${(compressedBytes / 1e6).toFixed(1)} MB compressed\n`)
  process.stdout.write(`${digest}\nin ${folder}\n`)
}
