import type { Verb } from '../verb.ts'
import { feedList } from './feed-list.ts'
import { feedPut } from './feed-put.ts'

export const feed: readonly Verb[] = [feedList, feedPut]
