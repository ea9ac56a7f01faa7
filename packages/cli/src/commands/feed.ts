import type { Verb } from '../verb.ts'
import { feedDelete } from './feed-delete.ts'
import { feedList } from './feed-list.ts'
import { feedPut } from './feed-put.ts'

export const feed: readonly Verb[] = [feedList, feedPut, feedDelete]
