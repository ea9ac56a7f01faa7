import { sendInput } from './lanes/send-input.ts'
import { openTrial } from './open-trial.ts'
import type { Options } from './options.ts'
import { inputsOf, seedIn } from './seeds.ts'

/** Sends what is in a file in every way there is, and returns what was wrong. */
export const replay = async (file: string, store: Options['store']): Promise<string[]> => {
  const problems: string[] = []
  await using trial = await openTrial(store, (problem) => problems.push(problem))
  for (const input of inputsOf(seedIn(file), trial.around.credentials.admin)) {
    const findings = await sendInput(trial.service.port, input).catch((error: unknown) => [
      { problem: `connect: ${error}` },
    ])
    problems.push(...findings.map(({ problem }) => `${input.way}: ${problem}`))
  }
  return problems
}
