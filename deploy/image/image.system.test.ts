import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openCollector, SPANS_OF_A_SIGN_UP, signUpInTrace } from '../../packages/app/test/collector.ts'
import { blocksOf, ROOT } from '../../packages/app/test/documentation/blocks.ts'
import { expectFollowed } from '../../packages/app/test/documentation/following.ts'
import { Reader } from '../../packages/app/test/documentation/reader.ts'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { faultsOfContainerfile, faultsOfSbom } from '../testing/python-tools.ts'
import { type Architecture, NODE_NAME } from './application.ts'
import { type Built, readBuilt } from './build.ts'
import { derive, stagesOf } from './containerfile.ts'
import { STATE } from './layers.ts'
import { asRoot, Layout, RunningImage } from './running-image.ts'
import { SBOM_TYPE } from './sbom.ts'
import { SlowRequest } from './slow-request.ts'
import { blobOf } from './tar.ts'

const HERE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const AT_MOST = 80_000_000
const FIRST_ANSWER_MS = 1_000
const STARTS = 10

let reader: Reader
let folder: string
let built: Built
let layout: Layout

const digestOf = (architecture: Architecture): string =>
  built.images.find((image) => image.architecture === architecture)?.digest ?? 'there is none'

/** Built as the guide has it. */
beforeAll(async () => {
  await expectFollowed('docs/guides/containers.md', async (page) => {
    reader = await Reader.open({ notYetServed: true })
    folder = reader.home.folder
    // The reader's folder is no clone.
    reader.substitute('npm run image', `(cd '${ROOT}' && npm run image -- '${folder}/image')`)
    await reader.follow(page)
    return reader.executed
  })
  built = await readBuilt(path.join(folder, 'image'))
  layout = new Layout(path.join(folder, 'image/layout'))
})

afterAll(async () => {
  // The container's user owns some of it.
  await asRoot('rm', '-rf', path.join(folder, 'state'), path.join(folder, 'secrets'))
  await reader[Symbol.asyncDispose]()
})

describe('the image that is built', () => {
  it.each(['amd64', 'arm64'] as const)('is small: linux/%s', (architecture) => {
    const image = built.images.find((one) => one.architecture === architecture)
    expect(image?.compressedBytes).toBeGreaterThan(30_000_000)
    expect(image?.compressedBytes).toBeLessThan(AT_MOST)
  })

  it('is the same when all of it is built again, by another user in another place of the world', async () => {
    const again = path.join(folder, 'again')
    const build = ['sh', process.execPath, path.join(ROOT, 'deploy/image/build.ts'), again]
    const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8' }
    await promisify(execFile)('sh', ['-c', 'umask 077 && exec "$@"', ...build], { env })
    expect(await readBuilt(again)).toEqual(built)
  })

  it.each(['amd64', 'arm64'] as const)(
    'has the binaries of its processor, and no shell: linux/%s',
    async (architecture) => {
      const root = path.join(folder, `root-${architecture}`)
      await layout.unpack(digestOf(architecture), root)
      const machine = { amd64: 0x3e, arm64: 0xb7 }[architecture]
      expect((await readFile(path.join(root, 'usr/local/bin/node'))).readUInt16LE(18)).toBe(machine)
      const names = (await readdir(root, { recursive: true })).map((name) => path.basename(name))
      for (const shell of ['sh', 'bash', 'dash', 'busybox', 'env']) expect(names).not.toContain(shell)
    },
  )

  it('has every blob that it names, by its hash', async () => {
    const { manifests } = JSON.parse(await readFile(path.join(folder, 'image/layout/index.json'), 'utf8'))
    expect(manifests.map(({ digest }: { digest: string }) => digest)).toEqual([built.digest])
    const index = await layout.json(built.digest)
    const named = []
    for (const descriptor of index.manifests) {
      const { config, layers } = await layout.json(descriptor.digest)
      named.push(descriptor, config, ...layers)
    }
    for (const { digest, size } of named) {
      const bytes = await readFile(layout.blobPath(digest))
      expect({ digest: blobOf(bytes).digest, size: bytes.length }).toEqual({ digest, size })
    }
  })

  it('is copied with all that is attached, and keeps its digest', async () => {
    const [from, to] = ['image/layout', 'copied'].map((name) => `oci:${path.join(folder, name)}`)
    await promisify(execFile)('skopeo', ['copy', '--quiet', '--all', '--preserve-digests', `${from}`, `${to}:copy`])
    const { manifests } = JSON.parse(await readFile(path.join(folder, 'copied/index.json'), 'utf8'))
    expect(manifests).toMatchObject([{ digest: built.digest }])
    expect(await readdir(path.join(folder, 'copied/blobs/sha256'))).toEqual(
      await readdir(path.join(folder, 'image/layout/blobs/sha256')),
    )
  })

  it.each(['amd64', 'arm64'] as const)('says what is in it, beside it and attached: linux/%s', async (architecture) => {
    const { manifests } = await layout.json(built.digest)
    const all = await Promise.all(manifests.map(({ digest }: { digest: string }) => layout.json(digest)))
    const attached = all.filter(({ artifactType }) => artifactType === SBOM_TYPE)
    expect(attached).toHaveLength(2)
    const [{ layers }] = attached.filter(({ subject }) => subject.digest === digestOf(architecture))
    const sbom = await layout.json(layers[0].digest)
    const beside = await readFile(path.join(folder, `image/rollcall-${architecture}.cdx.json`), 'utf8')
    expect(sbom).toEqual(JSON.parse(beside))
    expect(faultsOfSbom(beside)).toBe('')
    expect(faultsOfSbom(beside.replace('"id":"ISC"', '"id":"NOASSERTION"'))).toContain('NOASSERTION')
    const names = sbom.components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      // Of Debian, of npm beside the bundle, and of npm in it.
      expect.arrayContaining(['libc6', `node-linux-${NODE_NAME[architecture]}`, 'pino', 'koa', 'inversify']),
    )
    for (const { name, version, hashes } of sbom.components)
      expect({ name, version, hashes }).toEqual({
        name,
        version: expect.stringMatching(/^\d/),
        hashes: [expect.objectContaining({ content: expect.stringMatching(/^[0-9a-f]{64,128}$/) })],
      })
  })
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
    await using image = await RunningImage.of(layout, digestOf(HERE))
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
    await using image = await RunningImage.of(layout, digestOf(HERE))
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
  await using image = await RunningImage.of(layout, digestOf(HERE))
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

  it('is made as hadolint recommends', () => {
    expect(faultsOfContainerfile(codeOf('Containerfile'))).toBe('')
    expect(faultsOfContainerfile('FROM node\n')).toContain('DL3006')
  })

  it('sends its spans, answers its health check, and ends with 0', async () => {
    const collector = await openCollector()
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const context = path.join(folder, 'context')
    await mkdir(context)
    // As a careful umask leaves it.
    await writeFile(path.join(context, 'tracing.mjs'), codeOf('tracing.mjs'), { mode: 0o600 })
    await using image = await RunningImage.of(layout, digestOf(HERE))
    const environment = await derive(image, stagesOf(codeOf('Containerfile')), context)
    expect(environment).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })
    const url = await serve(image, { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    expect(await signUpInTrace(url, trace)).toBe(200)
    expect(await image.checkHealth()).toContain('"status":"ready"')
    expect(await image.end('TERM')).toBe(0)
    expect(collector.namesOf(trace)).toEqual(expect.arrayContaining(SPANS_OF_A_SIGN_UP))
  })
})

it('takes its volume and its secrets as Kubernetes mounts them', async () => {
  const { state, secrets } = await mountedFor(65532)
  await using image = await RunningImage.of(layout, digestOf(HERE))
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
