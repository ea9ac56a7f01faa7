import { closestName, editsBetween } from '../closest-name.ts'
import { columnSense, plainWords, saysWhen, valueSense } from './speaks-of-leaving.ts'
import { argument, type ColumnGuard, foldedName, shown } from './unused-columns.ts'

/** Without one of these, people come in who left, or into another feed. */
const OF_SUBSCRIPTIONS = ['status', 'ended_at', 'feed']

/** Who left elsewhere must not come in as if they had not. */
export const SUBSCRIPTION_COLUMNS: ColumnGuard = (name) => {
  const sense = columnSense(name)
  const column = argument(name, 'COLUMN')
  const ignore = `or ignore it: --ignore ${column}`
  return {
    problem: sense === 'leaving' ? leavingColumn(name, ignore) : misspelt(name, sense, OF_SUBSCRIPTIONS),
    ofValue: (value) => {
      const said = valueSense(value, sense)
      if (said === 'harmless') return undefined
      const what =
        said === 'left'
          ? `${shown(value)} speaks of leaving.`
          : `Whether ${shown(value)} means that the person left is not clear.`
      return `${what} Say what it means: --map status=${column} --status ${argument(value, 'VALUE')}=ended (or pending, or confirmed); ${ignore}.`
    },
  }
}

const leavingColumn = (name: string, ignore: string): string => {
  const column = argument(name, 'COLUMN')
  const means = saysWhen(name) ? `--map ended_at=${column}` : `--map status=${column} --status VALUE=ended`
  return `This column speaks of leaving, and is not used. Say what it means: ${means}; ${ignore}.`
}

/** Names of columns that say what a user may do. */
const ROLES = /role|admin|permission|group|privileg|right|owner|super ?user|staff/i

/** Who was shut out elsewhere must not get access here, and what a user may do must not be dropped. */
export const USER_COLUMNS: ColumnGuard = (name) => {
  const sense = columnSense(name)
  const column = argument(name, 'COLUMN')
  const ignore = `ignore the column: --ignore ${column}.`
  const ofRoles = `This column may say what users may do, and is not used. Say so: --map roles=${column}; or ${ignore}`
  return {
    problem:
      sense === 'leaving'
        ? `This column may say who has no access any more, and is not used. Take such rows out, and ${ignore}`
        : ROLES.test(name)
          ? ofRoles
          : misspelt(name, sense, ['roles']),
    ofValue: (value) => {
      const said = valueSense(value, sense)
      if (said === 'harmless') return undefined
      const what =
        said === 'left'
          ? `${shown(value)} may say that this user has no access any more`
          : `Whether ${shown(value)} means that this user has access is not clear`
      return `${what}, and an import gives access. Leave the row out, or ${ignore}`
    },
  }
}

/** What may be said in a name of what is to become of somebody; short words count only as a whole. */
const OF_DEEDS = new RegExp(
  [
    'keep(?!er|ing)|delet|eras(?:e(?!r)|ure)|purg(?:e|ing)|remov|retain(?!er)|exclu(?:de|sion)|decision(?! ?maker)|loe?sch(?:en|ung)',
    `behalt|entfernen| (?:is|to|should|must|users?)*(?:${[
      'do|todo|go|goes|drop(?:ped)?|wiped?|act|actions?|aktion|skip(?:ped)?|select(?:ed|ion)?|chosen|choice|verdict|kept',
      'stays?|remains?|inclu(?:ded?|sion)|approv(?:ed?|al)|(?:un)?employed|employment|retention|protect(?:ed)?|exempt(?:ed)?',
      'decided?|garder|conserver|effacer|supprimer|borrar|conservar|eliminar|mantener',
    ].join('|')}) `,
  ].join('|'),
)

/** Columns of a list of users to be deleted that may say which of them are meant; those that are ignored are not. */
export const decidingColumns = (names: readonly string[], ignored: readonly string[]): readonly string[] => {
  const known = new Set(ignored.map(foldedName))
  return names.filter((name) => !known.has(foldedName(name)) && mayDecide(name))
}

const mayDecide = (name: string): boolean => {
  const sense = columnSense(name)
  return sense === 'leaving' || sense === 'standing' || OF_DEEDS.test(` ${plainWords(name)} `)
}

/** A list of addresses that must get no mail only adds to them: what is dropped of it lets no mail pass. */
export const SUPPRESSION_COLUMNS: ColumnGuard = () => ({ ofValue: () => undefined })

/** A column whose name is one letter off one that decides, or has its letters in another order, is hardly another. */
const misspelt = (name: string, sense: string, deciding: readonly string[]): string | undefined => {
  if (sense === 'standing') return undefined
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const meant = closestName(plain, deciding) ?? ''
  if (editsBetween(plain, meant) > 1 && sorted(plain) !== sorted(meant)) return undefined
  const column = argument(name, 'COLUMN')
  return `This column is not used. Did you mean '${meant}'? Say so: --map ${meant}=${column}; or ignore it: --ignore ${column}.`
}

const sorted = (text: string): string => text.split('').toSorted().join('')
