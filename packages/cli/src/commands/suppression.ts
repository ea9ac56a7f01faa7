import type { Verb } from '../verb.ts'
import { suppressionLift } from './suppression-lift.ts'
import { suppressionList } from './suppression-list.ts'

export const suppression: readonly Verb[] = [suppressionList, suppressionLift]
