import { describe, expect, it } from 'vitest'
import { decidingColumns } from '../src/transfer/column-guards.ts'

describe('a column of a list of users to be deleted', () => {
  it.each([
    ...['status', 'active', 'keep', 'Delete?', 'action', 'left_on', 'suspended', 'is employed', 'toKeep', 'tokeep'],
    ...['shouldKeep', 'userDecision', 'user_decision', 'usersToDelete', 'erase', 'to_be_erased', 'purge', 'retain'],
    'kept',
    ...['löschen', 'loeschen', 'zu löschen', 'Löschung', 'behalten', 'nichtBehalten', 'entfernen', 'do', 'to_do'],
    'Skip?',
    ...['excluded', 'include', 'approved', 'Decision', 'isactive', 'isdeleted', 'protected', 'garder', 'supprimer'],
    'borrar',
    ...['conservar', 'eliminar', 'conserver', 'effacer', 'selected', 'drop', 'wipe', 'stays', 'remain'],
    'newsletter_on',
  ])('%s may say who is meant', (name) => {
    expect(decidingColumns(['email', name], [])).toEqual([name])
    expect(decidingColumns(['email', name], [` ${name.toUpperCase()}`])).toEqual([])
  })

  it.each([
    ...['domain', 'email_domain', 'dob', 'document', 'download_count', 'Employee Number', 'employer', 'Doctor'],
    'donor',
    ...['department', 'email', 'name', 'transaction_id', 'reaction', 'Housekeeper', 'bookkeeping', 'fraction', 'dog'],
    'DOI',
    ...['created_at', 'subscribed_at', 'last_active_at', 'Ort', 'Land', 'dorm', 'Inclination', 'skipper'],
    'stayover_count',
  ])('%s does not', (name) => {
    expect(decidingColumns([name], [])).toEqual([])
  })
})
