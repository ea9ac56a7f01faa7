import type { Verb } from '../verb.ts'
import { keyRotate } from './key-rotate.ts'

export const key: readonly Verb[] = [keyRotate]
