import { closestName, editsBetween } from '../closest-name.ts'
import type { FieldNames } from './record-formats.ts'
import { columnSense, plainWords, saysWhen, valueSense } from './speaks-of-leaving.ts'
import { argument, type ColumnGuard, foldedName, shown } from './unused-columns.ts'

/** Without one of these, people come in who left, or into another feed. */
const OF_SUBSCRIPTIONS = ['status', 'ended_at', 'feed']

/** What a guard says, as one kind of import needs it. */
interface Sentences {
  /** Of a column that speaks of leaving. */
  readonly leaving: (name: string, column: string) => string
  /** Of a column that decides for another reason. */
  readonly other?: (name: string, column: string) => string | undefined
  readonly left: (value: string) => string
  readonly unclear: (value: string) => string
  /** What to do about a value. */
  readonly wayOut: (value: string, column: string) => string
}

const guard =
  (deciding: readonly string[], says: Sentences): ColumnGuard =>
  (name) => {
    const sense = columnSense(name)
    const column = argument(name, 'COLUMN')
    return {
      problem:
        sense === 'leaving'
          ? says.leaving(name, column)
          : (says.other?.(name, column) ?? misspelt(name, sense, deciding)),
      ofValue: (value) => {
        const said = valueSense(value, sense)
        return said === 'harmless' ? undefined : `${says[said](shown(value))} ${says.wayOut(value, column)}`
      },
    }
  }

/** Of whoever may have left, in any service's file. */
const OF_LEAVING: Pick<Sentences, 'left' | 'unclear'> = {
  left: (value) => `${value} speaks of leaving.`,
  unclear: (value) => `Whether ${value} means that the person left is not clear.`,
}

const ofSubscriptions = guard(OF_SUBSCRIPTIONS, {
  leaving: (name, column) => {
    const means = saysWhen(name) ? `--map ended_at=${column}` : `--map status=${column} --status VALUE=ended`
    return `This column speaks of leaving, and is not used. Say what it means: ${means}; or ignore it: --ignore ${column}.`
  },
  ...OF_LEAVING,
  wayOut: (value, column) =>
    `Say what it means: --map status=${column} --status ${value.trim() === '' ? '' : argument(value, 'VALUE')}=ended (or pending, or confirmed); or ignore it: --ignore ${column}.`,
})

const OF_WORDINGS: ReadonlySet<string> = new Set(['requested_wording', 'confirmed_wording'].map(foldedName))

/** Who left elsewhere must not come in as if they had not. */
export const SUBSCRIPTION_COLUMNS: ColumnGuard = (name) => {
  // Our own exports have the words that people read, which may well speak of leaving; `consent` has them, too.
  if (OF_WORDINGS.has(foldedName(name))) return { ofValue: () => undefined }
  const judge = ofSubscriptions(name)
  if (foldedName(name) !== 'ended_because') return judge
  // Our own exports have it beside the status of one that has ended, in whose row nothing else is looked at.
  return { ofValue: (value) => (value === '' ? undefined : (judge.ofValue(value) ?? judge.problem)) }
}

/** The same of another service's file, whose columns have their meanings: `--map` and `--status` are for other files. */
export const FOREIGN_COLUMNS = guard([], {
  leaving: (_, column) =>
    `This column speaks of leaving, and is none that this service exports. If it decides nothing, ignore it: --ignore ${column}; else import the file without --from.`,
  ...OF_LEAVING,
  wayOut: (_, column) => `If the column decides nothing, ignore it: --ignore ${column}; else leave the row out.`,
})

/** Names of columns that say what a user may do. */
const ROLES = /role|admin|permission|group|privileg|right|owner|super ?user|staff/i
/** Whether somebody is with us, of users alone: of a reader it is a word like any other. */
const EMPLOYMENT = /employ(?:ed|ment)\b|beschaeftigt|besch\u00e4ftigt/i

const mayHaveLeft = (column: string): string =>
  `This column may say who has no access any more, and is not used. Take such rows out, and ignore the column: --ignore ${column}.`

/** Who was shut out elsewhere must not get access here, and what a user may do must not be dropped. */
export const USER_COLUMNS = guard(['roles'], {
  leaving: (_, column) => mayHaveLeft(column),
  other: (name, column) =>
    ROLES.test(name)
      ? `This column may say what users may do, and is not used. Say so: --map roles=${column}; or ignore the column: --ignore ${column}.`
      : EMPLOYMENT.test(name)
        ? mayHaveLeft(column)
        : undefined,
  left: (value) => `${value} may say that this user has no access any more, and an import gives access.`,
  unclear: (value) => `Whether ${value} means that this user has access is not clear, and an import gives access.`,
  wayOut: (_, column) => `Leave the row out, or ignore the column: --ignore ${column}.`,
})

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

/** Columns of a list of users that may say which of them are meant; those that are ignored are not. */
export const decidingColumns = (names: readonly string[], ignored: readonly string[]): readonly string[] => {
  const known = new Set(ignored.map(foldedName))
  return names.filter((name) => !known.has(foldedName(name)) && mayDecide(name))
}

const mayDecide = (name: string): boolean => {
  const sense = columnSense(name)
  return ['leaving', 'standing', 'receiving'].includes(sense) || OF_DEEDS.test(` ${plainWords(name)} `)
}

/** A list of addresses that must get no mail only adds to them: what is dropped of it lets no mail pass. */
export const SUPPRESSION_COLUMNS: ColumnGuard = () => ({ ofValue: () => undefined })

/** A column whose name is one letter off one that decides, or has its letters in another order, is hardly another. */
const misspelt = (name: string, sense: string, deciding: readonly string[]): string | undefined => {
  if (sense === 'standing' || sense === 'receiving') return undefined
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

/** A file as it is to be imported: by its own name, with the names that fields have in it. */
interface NamedFile {
  readonly file: string
  readonly format: string
  readonly names?: FieldNames | undefined
}

/**
 * Why a CSV file cannot be taken as it is: some services have a file for each status, and its name alone says which.
 * Undefined if nothing is wrong.
 */
export const leaversByName = ({ file, format, names = {} }: NamedFile): string | undefined =>
  format === 'csv' && names.status === undefined && columnSense(file.replace(/\.\w+$/, '')) === 'leaving'
    ? `The name of ${file} speaks of leaving. Name the service with --from, or the column that says who left: --map status=COLUMN. If all of them left, block them: rollcall suppression import. If none did, give the file another name.`
    : undefined
