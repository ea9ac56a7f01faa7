import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UsageError, whole } from '../shared/command.ts'
import type { CheckReport } from '../shared/report.ts'
import { log, runCheck } from '../shared/run-check.ts'
import { disksThatFail, surviveFailingDisks } from './failing-disk.ts'
import { recordService } from './record-service.ts'
import { whyNotTraced } from './recorder.ts'
import { type Recording, recordingIn } from './recording.ts'
import { runPowerLoss } from './run-power-loss.ts'

const usage = `Usage: npm run check:power-loss -- [options]

Records what the packed product writes and syncs (Linux, strace; SQLite), rebuilds the disks that a loss of power may
leave, and starts the product on each of them: everything that was promised by then must be there.

  --states <n>       how many disks, half with mails as files and half with mails by SMTP (default: 2,000)
  --recording <dir>  use a kept recording instead of a new one; with --state <n>, only one state of it
  --writes <n>       also: each of the first so many writes fails once (360 are usual),
  --syncs <n>        and each of the first so many syncs (40 are usual: more than a run of 15 sign-ups has)`

const options = { states: '2,000', recording: '', state: '', writes: '0', syncs: '0' }
const DURATIONS = [5_000, 3_000, 2_000]
const PROGRESS_EVERY = 50

await runCheck({
  ...{ name: 'check:power-loss', usage, options },
  run: async ({ text, number, seed, program, replay }) => {
    const trouble = whyNotTraced()
    if (trouble !== undefined) throw new UsageError(trouble)
    const [states, writes, syncs] = [number('states'), number('writes'), number('syncs')]
    const only = text('state') === '' ? undefined : whole('state', text('state'))
    const reports: CheckReport[] = []

    const examine = async (recording: Recording, count: number, ownSeed: number): Promise<boolean> => {
      const onProgress = (done: number): void => {
        if (done % PROGRESS_EVERY === 0) log(`mails as ${recording.mail}: ${done} of ${count} states examined`)
      }
      const order = { recording, program, seed: ownSeed, states: count, only, onProgress }
      const { examined, lost } = await runPowerLoss(order)
      const countOf = (...names: readonly string[]): number =>
        recording.operations.filter(({ kind }) => names.includes(kind)).length
      reports.push({
        ...{ name: 'losses of power', store: 'sqlite' },
        replay:
          lost.length > 0
            ? `--recording ${recording.folder} --states ${count} --seed ${ownSeed}`
            : replay(`--states ${states}`),
        findings: lost.flatMap(({ number: state, survival, findings }) =>
          findings.map((one) => ({ ...one, message: `--state ${state} (survived: ${survival}): ${one.message}` })),
        ),
        rows: [
          {
            ...{ 'mails as': recording.mail, syncs: countOf('sync') },
            writes: countOf('write', 'resize', 'name', 'unname', 'rename', 'folder'),
            promises: countOf('answered', 'mailed', 'printed'),
            ...{ states: examined, broken: lost.length },
          },
        ],
      })
      return lost.length > 0
    }

    if (text('recording') !== '') await examine(recordingIn(path.resolve(text('recording'))), states, seed)
    else if (states > 0)
      for (const [turn, mail] of (['files', 'smtp'] as const).entries()) {
        const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-recording-'))
        log(`recording the service, with mails as ${mail}`)
        const recording = await recordService({ folder, mail, durations: DURATIONS, program, seed: seed + turn })
        // A recording cannot be repeated, so it is kept if its states are to be.
        if (!(await examine(recording, Math.ceil(states / 2), seed + turn))) rmSync(folder, { recursive: true })
      }
    if (writes + syncs > 0) {
      const { findings, row } = await surviveFailingDisks(program, disksThatFail(writes, syncs), log)
      const args = `--states 0 --writes ${writes} --syncs ${syncs}`
      reports.push({ name: 'a disk that fails', store: 'sqlite', replay: replay(args), findings, rows: [row] })
    }
    return reports
  },
})
