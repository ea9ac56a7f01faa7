/**
 * What the name of a column tells of the people in a file: that they left, whether they stay, or nothing.
 * A name that is taken for less than it means lets people in who left; one that is taken for more costs a word of whoever
 * imports.
 */
export type ColumnSense = 'leaving' | 'standing' | 'other'

/** What a value says of a person. */
export type ValueSense = 'left' | 'unclear' | 'harmless'

/** As words without accents: `HardBounce`, `opt-out` and `UNSUB_TIME` are `hard bounce`, `opt out` and `unsub time`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Beginnings of words; a name that has one speaks of leaving, in any of the four languages of our pages. */
const LEAVING_NAME = new RegExp(
  ` (?:${[
    'unsub|un subscri|non ?subscri|desub|opt(?:ed|s)? ?out|do ?not|dont|not\\b|no \\w|dn[cd]\\b|stop(?:ped)?\\b',
    'black ?list|block|suppress|bounc|complain|spam|abuse|undeliver|invalid|clean|dead|junk|trash|quarantin',
    'disabl|cancel|delet|erased|remov|churn|suspen|ban\\b|bann|exclu|revok|withdr|reject|refus|declin|forbid|den(?:y|ied)',
    'left\\b|leav|quit\\b|inactiv|deactiv|ended|expire|lapse|archiv|gone\\b|paus|snooz|hold\\b|frozen|lock|muted?\\b',
    'forg[eo]t|object(?:ed|ion)|terminat|resign|deceas|died\\b',
    'abgemeld|abmeld|abbestell|gesperrt|gekundigt|kundig|widerruf|geloscht|inaktiv',
    'desinscri|desabonn|desuscri|supprim|bloque|inactif|annul|baja\\b|eliminad|rebotad|rechaz',
  ].join('|')})`,
)

/** A name that has one of these words says whether a person stays. */
const STANDING_NAME = new RegExp(
  `^(?:type|state|standing|typ|zustand|estado|etat)$| (?:${[
    'status|statut|subscribed|subscriptions? $|subscri(?:ber|ption) (?:type|state)|active |enabled|accept|opt(?:ed|s)? ?in',
    'marketing|consent|permission|allow|agree|receiv|newsletters? $|mailable|emailable|contactable|reachable',
    'aktiv |abonniert|angemeldet|erlaubnis|einwilligung|actif |abonne|activ[oa] |suscrit',
  ].join('|')})`,
)

/** When, where from and by which link somebody agreed does not say whether that holds. */
const OF_SOMETHING_ELSE = / (?:at|on|date|time|ip|id|url|uri|link|source|origin|count|datum|fecha) $/

export const columnSense = (name: string): ColumnSense => {
  const words = plain(name)
  const padded = ` ${words} `
  if (LEAVING_NAME.test(padded)) return 'leaving'
  if (OF_SOMETHING_ELSE.test(padded)) return 'other'
  return STANDING_NAME.test(words) || STANDING_NAME.test(padded) ? 'standing' : 'other'
}

const words = (...lists: readonly string[]): RegExp => new RegExp(`^(?:${lists.join('|')})$`)

const LEFT_BEGINS = /^(?:un ?sub|opt(?:ed)? ?out|desub|(?:hard|soft) ?bounc|spam ?complain|desinscri|desabonn|desuscri)/
const LEFT = words(
  'churned|inactive|cleaned|bounced?|complained|complaint|spam|suppressed|(?:manual )?suppression|disabled|gone|lapsed|ended',
  'blocked|(?:block|black) ?listed|cancell?ed|deleted|removed|deactivated|suspended|banned|archived|undeliverable|revoked',
  'no[nt] ?subscribed|withdrawn|refused|(?:do ?not|dont) (?:contact|mail|e ?mail|send)',
  'abgemeldet|abbestellt|gesperrt|gekundigt|geloscht|inaktiv|widerrufen',
  'inactif|supprime|bloque|annule|(?:dado de )?baja|cancelado|inactivo|eliminado|bloqueado|rebotado',
)
const NO = words('no|false|f|n|0|off|never|none|nein|falsch|non|faux|falso')
const YES = words(
  'yes|true|t|y|1|on|x|ok|always|ja|wahr|oui|vrai|si|verdadero',
  'activ(?:e|ated)|subscribed|subscriber|(?:un)?confirmed|unactivated|regular|enabled|pending|new|live|current|normal',
  '(?:single |double )?opt ?in|opted in|free|paid|premium|gift|trial(?:ing)?|comped|complimentary|valid|verified',
  'member|customer|aktiv|abonniert|angemeldet|bestatigt|actif|abonne|confirme|activo|suscrito|confirmado',
)
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/

/**
 * What a value of a column means that is not used. In a column about whether people stay, what is not understood is unclear;
 * in any other, it is harmless unless it, or one of a list, is a word for having left.
 */
export const valueSense = (value: string, column: ColumnSense): ValueSense => {
  if (value.split(/[,;|]/).map(plain).some(isLeft)) return 'left'
  if (column === 'other' || value.trim() === '') return 'harmless'
  const said = plain(value)
  if (NO.test(said)) return 'left'
  return YES.test(said) || DATE.test(value.trim()) ? 'harmless' : 'unclear'
}

const isLeft = (said: string): boolean => LEFT_BEGINS.test(said) || LEFT.test(said)
