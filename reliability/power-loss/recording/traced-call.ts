/** A system call that has returned. Moments are lines of the trace: what is on a later line happened later. */
export interface TracedCall {
  readonly name: string
  /** As strace shows them. */
  readonly args: string
  readonly result: number
  readonly begun: number
  readonly ended: number
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<[^>]*>)?(?: .*)?$/
const UNFINISHED = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)(?:<[^>]*>)?(?: .*)?$/

/**
 * The calls in a trace of several processes and their threads, in the order in which they returned. One that never did, because its process
 * was killed, is left out.
 */
export function* tracedCalls(lines: Iterable<string>): Generator<TracedCall> {
  const unfinished = new Map<string, { name: string; args: string; begun: number }>()
  let moment = 0
  for (const line of lines) {
    moment++
    const whole = WHOLE.exec(line)
    if (whole) {
      const [, , name = '', args = '', result = ''] = whole
      yield { name, args, result: Number(result), begun: moment, ended: moment }
      continue
    }
    const begun = UNFINISHED.exec(line)
    if (begun) {
      const [, thread = '', name = '', args = ''] = begun
      unfinished.set(thread, { name, args, begun: moment })
      continue
    }
    const [, thread = '', , rest = '', result = ''] = RESUMED.exec(line) ?? []
    const call = unfinished.get(thread)
    if (call === undefined) continue
    unfinished.delete(thread)
    yield { ...call, args: call.args + rest, result: Number(result), ended: moment }
  }
}
