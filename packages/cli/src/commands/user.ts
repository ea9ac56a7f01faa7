import type { Verb } from '../verb.ts'
import { userDelete } from './user-delete.ts'
import { userList } from './user-list.ts'
import { userPut } from './user-put.ts'
import { userShow } from './user-show.ts'

export const user: readonly Verb[] = [userList, userShow, userPut, userDelete]
