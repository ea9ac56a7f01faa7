import { type Input, ruleOf, type Violation } from './input.ts'
import { sendInput } from './lanes/send-input.ts'
import { openService } from './open-service.ts'
import type { Options } from './options.ts'
import { inputsOf, seedIn } from './seeds.ts'

const TRIES = 400
/** Milliseconds for all of them. */
const LONGEST = 60_000
/** Milliseconds for a try, so that reducing a hang does not take an hour. */
const PATIENCE = 1_500

/**
 * The shortest input found that still breaks the same rule, by removing ever smaller pieces; undefined where the
 * input does not break it when sent alone.
 * @see Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input (2002)
 */
export const reduced = async (port: number, { input, problem }: Violation): Promise<Input | undefined> => {
  if (input === undefined) return undefined
  let tries = 0
  const end = performance.now() + LONGEST
  const mayTry = (): boolean => tries < TRIES && performance.now() < end
  const fails = async (candidate: Input): Promise<boolean> => {
    tries++
    const findings = await sendInput(port, candidate, PATIENCE).catch(() => [])
    return findings.some((finding) => ruleOf(finding.problem) === ruleOf(problem))
  }
  if (!(await fails(input))) return undefined
  let best: Input = input
  for (let piece = best.bytes.length >> 1; piece > 0 && mayTry(); piece >>= 1) {
    for (let at = 0; at < best.bytes.length && mayTry(); ) {
      const candidate = without(best, at, piece)
      if (await fails(candidate)) best = candidate
      else at += piece
    }
  }
  return best
}

const without = (input: Input, at: number, length: number): Input => ({
  ...input,
  bytes: Buffer.concat([input.bytes.subarray(0, at), input.bytes.subarray(at + length)]),
})

/** Sends the content of a file in every way, and returns the problems. */
export const replay = async (file: string, store: Options['store']): Promise<string[]> => {
  const problems: string[] = []
  await using opened = await openService(store, (problem) => problems.push(problem))
  for (const input of inputsOf(seedIn(file), opened.around.credentials.admin)) {
    const findings = await sendInput(opened.service.port, input).catch((error: unknown) => [
      { problem: `connect: ${error}` },
    ])
    problems.push(...findings.map(({ problem }) => `${input.way}: ${problem}`))
  }
  return problems
}
