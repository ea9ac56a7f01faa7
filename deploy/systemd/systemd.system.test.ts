import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { type Exported, SPANS_OF_A_SIGN_UP, spansIn } from '../../packages/app/test/collector.ts'
import { type Block, blocksOf, isExecuted, ROOT, read, stepsOf } from '../../packages/app/test/documentation/blocks.ts'
import { expectFollowed } from '../../packages/app/test/documentation/following.ts'
import { expectLines } from '../../packages/app/test/documentation/reader.ts'
import { buildApplication } from '../../packages/rollcall/build.ts'
import { BootedSystem } from './booted-system.ts'

const run = promisify(execFile)
const UNIT = path.join(import.meta.dirname, 'rollcall.service')
/** Tenths, as `systemd-analyze` counts them. */
const EXPOSED_AT_MOST = 15

const scratchFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-systemd-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('is exposed little', async () => {
  const options = ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSED_AT_MOST}`]
  const { stdout } = await run('systemd-analyze', [...options, UNIT])
  expect(stdout).toMatch(/Overall exposure level for rollcall\.service: 1\.\d OK/)
})

it('says what a system lacks that does not come up', async () => {
  await expect(BootedSystem.boot(await scratchFolder(), ['dbus.socket', 'absent.socket'])).rejects.toThrow(
    /^No system could be booted:[\s\S]*Unit absent\.socket not found/,
  )
})

/** What the page has npm install from a registry; and Node.js for all users. */
const INSTALL = `rm -rf /opt/rollcall/lib/node_modules/rollcall\nmkdir -p /opt\ncp -r /mnt/rollcall /opt\ncp '${process.execPath}' /usr/local/bin/node.new
mv /usr/local/bin/node.new /usr/local/bin/node`

it('runs as the guide has it, under a systemd that was booted', async () => {
  const shared = await scratchFolder()
  await installRollcall(path.join(shared, 'rollcall'))
  await installTracing(path.join(shared, 'tracing'))
  await using system = await BootedSystem.boot(shared)
  await expectFollowed('docs/guides/systemd.md', async (page) => {
    const executed: Block[] = []
    for (const step of stepsOf(page)) {
      if (step.file?.endsWith('tracing.conf')) {
        await expectItIsConfined(system)
        await system.run(`cp -r /mnt/tracing/. /opt/rollcall\n${COLLECT}`)
      }
      if (step.code.startsWith('npm install') && executed.length > 0) {
        await expectItIsConfined(system)
        await system.run(SIGN_UP)
      }
      if (step.file !== undefined) await system.run(`cat > '${step.file}' <<'END'\n${step.code}END`)
      if (!isExecuted(step)) continue
      const code = step.code.replace(
        'npm install --global --prefix /opt/rollcall ./tarballs/rollcall-[0-9]*.tgz',
        () => INSTALL,
      )
      const printed = await system.run(code, ROOT)
      for (const answer of step.answers) expectLines(answer, printed, `${page}:${step.line}`)
      executed.push(step)
    }
    return executed
  })
  expect(await system.run('systemctl show rollcall --property Result,ExecMainStatus')).toContain(
    'Result=success\nExecMainStatus=0',
  )
  expect(await system.run('journalctl --unit rollcall --output cat')).toContain('"msg":"stopped"')
  const spans = (await spansOf(path.join(shared, 'spans.jsonl'))).filter(({ traceId }) => traceId === TRACE)
  const [request, useCase, transaction] = SPANS_OF_A_SIGN_UP.map((wanted) => spans.find(({ name }) => name === wanted))
  expect([request, useCase, transaction].map((span) => span?.parentSpanId)).toEqual([
    CALLER,
    request?.spanId,
    useCase?.spanId,
  ])
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

const COLLECT = `systemd-run --quiet --collect /usr/local/bin/node '${path.join(import.meta.dirname, 'span-collector.ts')}' 4318 /mnt/spans.jsonl
curl --silent --retry 10 --retry-connrefused http://127.0.0.1:4318`

const SIGN_UP = `curl --silent --fail http://127.0.0.1:8080/subscribe -H 'traceparent: 00-${TRACE}-${CALLER}-01' -d name=Ada -d email=ada%40example.com`

/** What npm would have installed from a registry below the prefix. */
const installRollcall = async (prefix: string): Promise<void> => {
  const built = await scratchFolder()
  await buildApplication(built)
  const global = ['--global', '--install-links', '--no-audit', '--no-fund', '--prefix', prefix]
  await run('npm', ['install', ...global, built])
}

/** What the page about monitoring has a reader put beside the service, as npm lays it out below the prefix. */
const installTracing = async (folder: string): Promise<void> => {
  const page = 'docs/guides/monitor.md'
  const [, packages = ''] = /`npm install (@opentelemetry[^`]+)`/.exec(read(page)) ?? []
  await run('npm', ['install', '--global', '--no-audit', '--no-fund', '--prefix', folder, ...packages.split(' ')])
  const [file] = blocksOf(page).filter(({ file }) => file === 'tracing.mjs')
  await writeFile(path.join(folder, 'lib/tracing.mjs'), file?.code ?? '')
}

const spansOf = async (file: string) => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return lines.flatMap((line) => spansIn(JSON.parse(line) as Exported))
}

const expectItIsConfined = async (system: BootedSystem): Promise<void> => {
  const pid = (await system.run('systemctl show rollcall --property MainPID --value')).trim()
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    expect(await system.statusOf(pid, set)).toBe('0000000000000000')
  expect(await system.statusOf(pid, 'NoNewPrivs')).toBe('1')
  // Filtered by rules.
  expect(await system.statusOf(pid, 'Seccomp')).toBe('2')
  const user = (await system.run('id --user rollcall')).trim()
  expect(await system.statusOf(pid, 'Uid')).toBe([user, user, user, user].join('\t'))
}
