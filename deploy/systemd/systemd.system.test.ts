import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { type Block, isExecuted, ROOT, stepsOf } from '../../packages/app/test/documentation/blocks.ts'
import { expectFollowed } from '../../packages/app/test/documentation/following.ts'
import { expectLines } from '../../packages/app/test/documentation/reader.ts'
import { writeApplication } from '../image/application.ts'
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

/** What the page has npm install from a registry; and Node.js for all users. */
const INSTALL = `rm -rf /opt/rollcall\ncp -r /mnt/rollcall /opt/rollcall\ncp '${process.execPath}' /usr/local/bin/node.new
mv /usr/local/bin/node.new /usr/local/bin/node`

it('runs as the guide has it, under a systemd that was booted', async () => {
  const shared = await scratchFolder()
  await writeApplication(path.join(shared, 'rollcall'), process.arch === 'arm64' ? 'arm64' : 'amd64')
  await using system = await BootedSystem.boot(shared)
  await expectFollowed('docs/guides/systemd.md', async (page) => {
    const executed: Block[] = []
    for (const step of stepsOf(page)) {
      if (step.code.startsWith('npm install') && executed.length > 0) await expectItIsConfined(system)
      if (step.file !== undefined) await system.run(`cat > '${step.file}' <<'END'\n${step.code}END`)
      if (!isExecuted(step)) continue
      const code = step.code.replace('npm install --global --prefix /opt/rollcall rollcall', () => INSTALL)
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
})

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
