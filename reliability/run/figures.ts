/** What a trial came to, beside its findings. */
export interface Figures {
  readonly kills: number
  /** Requests that were answered, and those that were cut off. */
  readonly acknowledged: number
  readonly unanswered: number
  /** Mails that the relay accepted, and those of them that it had accepted before. */
  readonly mails: number
  readonly duplicates: number
  /** Milliseconds from the first acceptance of a mail that came twice to the death of its process, at most. */
  readonly longestWindow: number
  /** Milliseconds from a start to being ready. */
  readonly ready: { readonly median: number; readonly p99: number; readonly most: number }
  /** Milliseconds from the last kill until every mail that was owed had come. */
  readonly takenOverIn: number
  readonly seconds: number
}

export const readiness = (times: readonly number[]): Figures['ready'] => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 }
}
