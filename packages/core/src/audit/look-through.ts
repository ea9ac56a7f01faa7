import type { Instant } from '../instant.ts'
import type { AuditReader, AuditRecord } from './audit-store.ts'

/** Each matches whole, and all have to. */
export interface WantedRecords {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly outcome?: string | undefined
  /** Only what was done then or later. */
  readonly since?: Instant | undefined
}

export interface FoundRecords {
  readonly items: readonly AuditRecord[]
  /** The place to go on from, in the direction of the search: negative among what is not sealed; undefined at the end. */
  readonly next: number | undefined
}

/** Records that one search looks at: whatever it looks for, it takes no longer. */
const MOST_LOOKED_AT = 2_000
const STRETCH = 200
const NAMES = ['actor', 'action', 'target', 'outcome'] as const

const isNarrowed = ({ since, ...wanted }: WantedRecords): boolean =>
  since !== undefined || NAMES.some((name) => wanted[name])

const matching =
  ({ since = 0, ...wanted }: WantedRecords) =>
  (record: AuditRecord): boolean =>
    record.at >= since && NAMES.every((name) => !wanted[name] || record[name] === wanted[name])

/** The place of a record: its number, or the negative of its id as long as it has none. */
const placeOf = ({ id, sequence }: AuditRecord): number => sequence ?? -id

/** The place as it is now: what had no number when it was shown may have one. */
const placeNow = async (audit: AuditReader, place: number): Promise<number> =>
  place < 0 ? ((await audit.find(-place))?.sequence ?? place) : place

/** The trail from a place on, oldest first; what could not be sealed is at the end. */
export const lookForward = async (
  audit: AuditReader,
  wanted: WantedRecords,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<FoundRecords> => {
  const matches = matching(wanted)
  const items: AuditRecord[] = []
  // One more shows whether there is more.
  const size = isNarrowed(wanted) ? STRETCH : limit + 1
  let place = after
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += size) {
    const stretch = await stretchAfter(audit, place, size)
    if (stretch.length === 0) return { items, next: undefined }
    for (const record of stretch) {
      if (items.length === limit) return { items, next: place }
      place = placeOf(record)
      if (matches(record)) items.push(record)
    }
  }
  return { items, next: place }
}

/** What is sealed, or what is not if there is nothing else. */
const stretchAfter = async (audit: AuditReader, after: number, limit: number): Promise<readonly AuditRecord[]> => {
  const sealed = await sealedAfter(audit, after, limit)
  if (sealed.length > 0) return sealed
  const { items: unsealed } = await audit.unsealed({ after: Math.max(0, -after), limit })
  // What was sealed between these two reads is in neither.
  const sealedMeanwhile = await sealedAfter(audit, after, limit)
  return sealedMeanwhile.length > 0 ? sealedMeanwhile : unsealed
}

const sealedAfter = async (audit: AuditReader, after: number, limit: number): Promise<readonly AuditRecord[]> => {
  const place = await placeNow(audit, after)
  return place < 0 ? [] : (await audit.list({ after: place, limit })).items
}

/** The trail from its end, or from before a place; newest first. */
export const lookBack = async (
  audit: AuditReader,
  wanted: WantedRecords,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<FoundRecords> => {
  const matches = matching(wanted)
  const place = before === undefined ? Number.NEGATIVE_INFINITY : await placeNow(audit, before)
  const items = place < 0 ? await lastUnsealed(audit, (record) => record.id < -place && matches(record), limit) : []
  const last = items.at(-1)
  if (last !== undefined && items.length >= limit) return { items, next: placeOf(last) }
  let end = place < 0 ? (await lastSequence(audit)) + 1 : place
  const size = isNarrowed(wanted) ? STRETCH : limit
  for (let looked = 0; end > 1 && looked < MOST_LOOKED_AT; looked += size) {
    const after = Math.max(0, end - 1 - size)
    const { items: found } = await audit.list({ after, limit: end - 1 - after })
    // Where records were removed, it goes on beyond the end.
    const stretch = found.filter(({ sequence }) => sequence < end)
    for (const record of stretch.toReversed()) {
      if (!matches(record)) continue
      items.push(record)
      if (items.length >= limit) return { items, next: record.sequence > 1 ? record.sequence : undefined }
    }
    // Times follow the numbers but for what was under way at once: a whole stretch is more than that.
    if (stretch.length > 0 && stretch.every(({ at }) => at < (wanted.since ?? 0))) return { items, next: undefined }
    end = after + 1
  }
  return { items, next: end > 1 ? end : undefined }
}

/** The last of those that are not sealed yet, newest first: few, unless sealing fails. */
const lastUnsealed = async (
  audit: AuditReader,
  matches: (record: AuditRecord) => boolean,
  limit: number,
): Promise<AuditRecord[]> => {
  let last: AuditRecord[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<AuditReader['unsealed']>> = await audit.unsealed({ after, limit: STRETCH })
    last = [...last, ...page.items.filter(matches)].slice(-limit)
    after = page.next
  }
  return last.reverse()
}

/** Sequences have no gaps, so that a few looks find the last. */
const lastSequence = async (audit: AuditReader): Promise<number> => {
  const isThere = async (sequence: number) => (await audit.list({ after: sequence - 1, limit: 1 })).items.length > 0
  let there = (await audit.head())?.last ?? 0
  let step = 1
  while (await isThere(there + step)) {
    there += step
    step *= 2
  }
  for (; step > 1; step /= 2) if (await isThere(there + step / 2)) there += step / 2
  return there
}
