import type { Attack } from './attack.ts'
import { decompression } from './decompression.ts'
import { negotiation } from './negotiation.ts'
import { pipelining } from './pipelining.ts'

const ALL: readonly Attack[] = [decompression, pipelining, negotiation]

/** By name, in the order in which they are carried out. */
export const ATTACKS: Readonly<Record<string, Attack>> = Object.fromEntries(ALL.map((attack) => [attack.name, attack]))
