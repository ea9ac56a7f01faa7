import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const MEBIBYTES_64 = 64 * 1024 * 1024

export const AS_ROOT: readonly string[] = process.getuid?.() === 0 ? [] : ['sudo', '-n']

/** A command that needs root, such as runc. */
export const asRoot = async (program: string, ...args: readonly string[]) => {
  const [first = program, ...rest] = [...AS_ROOT, program, ...args]
  return await execute(first, rest, { maxBuffer: MEBIBYTES_64 })
}

export type Architecture = 'amd64' | 'arm64'

/** Of this machine. */
export const HERE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** What an image says about how it is started. */
export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, object>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

/** The libraries that Node.js is linked with. */
const TO_RUN = ['base-files', 'libstdc++6']
/** What the commands of our Dockerfiles call beside Node.js and npm. */
const TO_BUILD = [...TO_RUN, 'coreutils', 'dash', 'findutils', 'gzip', 'sed', 'tar']

/**
 * Images in a folder of their own, by buildah. It asks no registry of images: what they begin with is made here of
 * Debian's packages.
 */
export class ImageStore implements AsyncDisposable {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Has in it what stands for the official image of Node.js. */
  static async open(): Promise<ImageStore> {
    const store = new ImageStore(await mkdtemp(path.join(os.tmpdir(), 'rollcall-images-')))
    const npm = path.join(store.#folder, 'npm')
    await execute('npm', ['install', '--global', '--no-audit', '--no-fund', '--prefix', npm, 'npm@11'])
    const registry = (await execute('npm', ['config', 'get', 'registry'])).stdout.trim()
    const { NODE_EXTRA_CA_CERTS } = process.env
    await store.#import('docker.io/library/node:24', HERE, TO_BUILD, {
      files: { [process.execPath]: '/usr/local/bin/node', [npm]: '/usr/local' },
      variables: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        npm_config_registry: registry,
        ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
      },
    })
    return store
  }

  /** As `docker build` does it, with the same options; the image's id, as it has no name for other processors. */
  async build(...options: readonly string[]): Promise<string> {
    const { NODE_EXTRA_CA_CERTS: certificates } = process.env
    const volume = certificates === undefined ? [] : ['--volume', `${certificates}:${certificates}:ro`]
    // Neither namespaces nor a network of its own. OCI has no health checks.
    const here = ['--isolation=chroot', '--format=docker', '--layers', '--pull-never', ...volume]
    const said = await this.#buildah('build', ...here, ...options)
    return said.split('\n').at(-1) ?? ''
  }

  /** The options that have our own Dockerfile begin with what is made here. */
  async basesFor(architecture: Architecture): Promise<readonly string[]> {
    const base = await this.#import(`localhost/base-${architecture}`, architecture, TO_RUN)
    // Older versions of buildah leave the last one to the caller.
    const given = { BUILD: 'docker.io/library/node:24', BASE: base, BUILDPLATFORM: `linux/${HERE}` }
    const args = Object.entries(given).map(([name, value]) => `--build-arg=${name}=${value}`)
    return [`--platform=linux/${architecture}`, ...args]
  }

  async #import(
    name: string,
    architecture: Architecture,
    packages: readonly string[],
    added: { files?: Readonly<Record<string, string>>; variables?: Readonly<Record<string, string>> } = {},
  ): Promise<string> {
    const tar = path.join(this.#folder, `${architecture}.tar`)
    const of = [`--architectures=${architecture}`, `--include=${packages}`]
    await asRoot('mmdebstrap', '--quiet', '--variant=extract', ...of, 'bookworm', tar)
    const container = await this.#buildah('from', '--arch', architecture, 'scratch')
    await this.#buildah('add', '--quiet', container, tar, '/')
    for (const [from, to] of Object.entries(added.files ?? {}))
      await this.#buildah('copy', '--quiet', container, from, to)
    const variables = Object.entries(added.variables ?? {}).map(([variable, value]) => `--env=${variable}=${value}`)
    await this.#buildah('config', '--arch', architecture, ...variables, container)
    return await this.#buildah('commit', '--quiet', '--rm', container, name)
  }

  /** What of it can be named, and so begun with. */
  async tag(id: string, name: string): Promise<void> {
    await this.#buildah('tag', id, name)
  }

  async configOf(id: string): Promise<ImageConfig> {
    return JSON.parse(await this.#buildah('inspect', '--type', 'image', id)).Docker.config
  }

  /** What a registry transfers. */
  async compressedBytes(id: string): Promise<number> {
    const pushed = path.join(this.#folder, id)
    await this.#buildah('push', '--quiet', id, `dir:${pushed}`)
    const { stdout } = await asRoot('du', '--bytes', '--summarize', pushed)
    return Number.parseInt(stdout, 10)
  }

  /** The folder in which it is unpacked. */
  async mount(id: string): Promise<string> {
    return await this.#buildah('mount', await this.#buildah('from', '--pull-never', id))
  }

  async #buildah(...args: readonly string[]): Promise<string> {
    const places = ['--root', path.join(this.#folder, 'store'), '--runroot', path.join(this.#folder, 'running')]
    return (await asRoot('buildah', ...places, ...args)).stdout.trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What is mounted, first.
    await this.#buildah('rm', '--all').catch(() => undefined)
    await asRoot('rm', '-rf', this.#folder)
  }
}
