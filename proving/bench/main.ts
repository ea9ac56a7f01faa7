import os from 'node:os'
import { log, runCheck } from '../shared/check.ts'
import { confirm } from './cases/confirmations.ts'
import { events } from './cases/events.ts'
import { manyRowsCases } from './cases/many-rows.ts'
import { signUpCases } from './cases/sign-ups.ts'
import { soak } from './cases/soak.ts'
import { userCases } from './cases/users.ts'
import { describeCores } from './cores.ts'
import { countFaults, printed } from './report.ts'
import { runBench } from './run-bench.ts'

const describeMachine = (): string => {
  const processor = `${os.availableParallelism()} x ${os.cpus()[0]?.model.trim() ?? 'an unknown processor'}`
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${os.type()} ${os.arch()}, ${processor}, Node.js ${process.versions.node}; ${describeCores()}`
}

await runCheck({
  name: 'bench',
  about: 'Measures a packed release from outside, each turn on a database of its own.',
  options: {
    product: [
      '',
      'a packed release, or the folder in which it was installed (default: this clone, as it is published)',
    ],
    against: ['', 'an older packed release, measured in turns with it'],
    store: ['both', 'sqlite, postgres or both'],
    turns: ['3', 'of each; their order changes from turn to turn'],
    seconds: ['6', 'of load in a turn, after a third as long to warm up'],
    rows: ['100,000', 'subscriptions or users, where there are many'],
    'slow-disk': [false, 'every flush to the disk takes 2 ms more (Linux, needs cc)'],
  },
  parts: [...signUpCases, confirm, ...userCases, events, ...manyRowsCases, soak],
  run: async (given) => {
    const options = {
      ...{ product: given.text('product'), against: given.text('against'), slowDisk: given.isOn('slow-disk') },
      ...{ cases: given.parts, stores: given.stores, turns: given.number('turns', 1) },
      ...{ seconds: given.number('seconds', 1), rows: given.number('rows', 1) },
    }
    let faults = 0
    process.stdout.write(`${describeMachine()}\n\n`)
    await runBench(options, log, (report) => {
      faults += countFaults(report)
      process.stdout.write(`${printed(report)}\n`)
    })
    return faults === 0
  },
})
