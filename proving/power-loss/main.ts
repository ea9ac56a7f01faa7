import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judge, log, runCheck, SEED, SOURCE, UsageError } from '../shared/check.ts'
import { broken, type Report, shown } from '../shared/report.ts'
import { disksThatFail, surviveFailingDisks } from './failing-disk.ts'
import { recordService } from './record-service.ts'
import { whyNotTraced } from './recorder.ts'
import { type Recording, recordingIn } from './recording.ts'
import { runPowerLoss } from './run-power-loss.ts'

const DURATIONS = [5_000, 3_000, 2_000]
const PROGRESS_EVERY = 50

await runCheck({
  name: 'check:power-loss',
  about: `Records what the packed product writes and syncs (Linux, strace; SQLite), rebuilds the disks that a loss of power may
leave, and starts the product on each of them: everything that was promised by then must be there.`,
  options: {
    states: ['2,000', 'how many disks, half with mails as files and half with mails by SMTP'],
    recording: ['', 'the folder of a kept recording, in place of a new one'],
    state: ['', 'only this state of it'],
    writes: ['0', 'also: each of the first so many writes fails once (360 are usual)'],
    syncs: ['0', 'and each of the first so many syncs (40 are usual: more than a run of 15 sign-ups has)'],
    ...SEED,
    ...SOURCE,
  },
  run: async (given) => {
    const trouble = whyNotTraced()
    if (trouble !== undefined) throw new UsageError(trouble)
    const [states, writes, syncs] = [given.number('states'), given.number('writes'), given.number('syncs')]
    const only = given.text('state') === '' ? undefined : given.number('state')
    const { seed, program } = given
    const reports: Report[] = []

    const examine = async (recording: Recording, count: number, ownSeed: number): Promise<boolean> => {
      const onProgress = (done: number): void => {
        if (done % PROGRESS_EVERY === 0) log(`mails as ${recording.mail}: ${done} of ${count} states examined`)
      }
      const order = { recording, program, seed: ownSeed, states: count, only, onProgress }
      const { examined, lost } = await runPowerLoss(order)
      const countOf = (...names: readonly string[]): number =>
        recording.operations.filter(({ kind }) => names.includes(kind)).length
      const findings = lost.flatMap(({ number: state, survival, findings }) =>
        findings.map((one) => ({ ...one, message: `--state ${state} (survived: ${survival}): ${one.message}` })),
      )
      const repeating =
        lost.length > 0
          ? `npm run check:power-loss -- --recording ${recording.folder} --states ${count} --seed ${ownSeed}`
          : given.again(`--states ${states}`)
      const figures = {
        syncs: countOf('sync'),
        writes: countOf('write', 'resize', 'name', 'unname', 'rename', 'folder'),
        promises: countOf('answered', 'mailed', 'printed'),
        ...{ states: examined, 'broken states': lost.length },
      }
      const name = `losses of power, mails as ${recording.mail}`
      reports.push({ name, store: 'sqlite', rows: [...shown(figures), broken(findings, repeating)] })
      return lost.length > 0
    }

    if (given.text('recording') !== '') await examine(recordingIn(path.resolve(given.text('recording'))), states, seed)
    else if (states > 0)
      for (const [turn, mail] of (['files', 'smtp'] as const).entries()) {
        const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-recording-'))
        log(`recording the service, with mails as ${mail}`)
        const recording = await recordService({ folder, mail, durations: DURATIONS, program, seed: seed + turn })
        // A recording cannot be repeated, so it is kept if its states are to be.
        if (!(await examine(recording, Math.ceil(states / 2), seed + turn))) rmSync(folder, { recursive: true })
      }
    if (writes + syncs > 0) {
      const { findings, figures } = await surviveFailingDisks(program, disksThatFail(writes, syncs), log)
      const repeating = given.again(`--states 0 --writes ${writes} --syncs ${syncs}`)
      reports.push({
        name: 'a disk that fails',
        store: 'sqlite',
        rows: [...shown(figures), broken(findings, repeating)],
      })
    }
    return judge(reports)
  },
})
