import type { Verb } from '../verb.ts'
import { userDelete } from './user-delete.ts'
import { userErasure } from './user-erasure.ts'
import { userExport } from './user-export.ts'
import { userList } from './user-list.ts'
import { userPut } from './user-put.ts'
import { userRestore } from './user-restore.ts'
import { userShow } from './user-show.ts'

export const user: readonly Verb[] = [userList, userShow, userPut, userDelete, userRestore, userErasure, userExport]
