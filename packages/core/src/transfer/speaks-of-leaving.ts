/**
 * What the name of a column tells of the people in a file: that they left, whether they stay, what they receive, since when
 * they do, whether they stay with a part of something, or nothing. A name that is taken for less than it means lets people in who left; one
 * that is taken for more costs an `--ignore`.
 */
export type ColumnSense = 'leaving' | 'standing' | 'receiving' | 'dated' | 'part' | 'other'

/** What a value says of a person. */
export type ValueSense = 'left' | 'unclear' | 'harmless'

/** As words without accents: `HardBounce`, `opt-out` and `UNSUB_TIME` are `hard bounce`, `opt out` and `unsub time`. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What is often written together with the word that decides: `isactive`, `userblocked`. */
const BEFORE =
  '(?:is|has|was|are|ist|hat|est|email|mail|sms|user|contact|subscriber|member|customer|account|newsletter|marketing)*'

/** Names that have one of these anywhere, whatever is written together with it. */
const anywhere = (...lists: readonly string[]): RegExp => new RegExp(lists.join('|'))

/** Names one of whose words begins so. */
const begun = (...lists: readonly string[]): RegExp => new RegExp(` ${BEFORE}(?:${lists.join('|')})`, 'u')

/** The word itself in languages that our pages do not speak: Italian, Dutch, Portuguese, Nordic, Finnish, Hungarian, Slavic, Japanese. */
const ELSEWHERE =
  'disiscri|disdett|uitgeschre|afgemeld|descadastr|dezabon|avmeld|avregistr|avprenumer|peruut|leiratkoz|odjav|afmeld|odhlas|wypisa|abonelikten|отпис|配信停止|購読停止|退会|退订'

/** No mails, in the languages of our pages but English, whose `no` says so before any word. */
const NONE_OF_IT =
  ' (?:kein(?:en?|erlei)?|ohne|nicht|nie|pas|sans|aucune?|sin|ningun)(?: de| d| la| le| el)? (?:newsletter|news|werb|(?:e ?)?mail|kontakt|anschreib|contact|info|post|publi|pub|boletin|correo)'

/** A name that has one of these speaks of leaving, most of them in the four languages of our pages. */
const LEAVING: readonly RegExp[] = [
  anywhere(
    'unsub|(?<!ad)opt(?:ed|s)? ?out|(?:non|not) ?subscri|bounc|(?:black|block|deny) ?list|suppress|complain|undeliver|unreachable',
    '(?<!anti ?)spam|disallow|(?:newsletters?|marketing|mails?|notifications?) ?off ',
    '(?:do ?not|dont) ?(?:bulk ?)?(?:send|(?:e ?)?mail|contact|call|phone|sms)|is ?(?:deleted|locked|banned)',
    'inactive|deactivat|disabled|deleted|cancell?ed|suspended|(?<!un)blocked|removed|archived|expired|revoked|withdrawn',
    'abgemeld|abmeld|abbestell|gesperrt|sperre|sperrvermerk|gekue?ndigt|geloe?scht|inaktiv|deaktiv|widerruf|widerspr|robinson',
    'mailverbot|werbeverbot|austritt|ausgetreten|ausgeschied|verstorb',
    'desinscri|desabonn|desub|desuscri|resili(?:e(?!n)|ation)|plainte|npai|opposition|oposicion|decede|fallecid',
    ELSEWHERE,
    NONE_OF_IT,
  ),
  begun(
    'un subscri|do ?not|dont|not(?:\\b|active|allow|confirm|permit|valid)|no (?!of )\\p{L}|no(?:e?mail|news|market|contact|call|sms)',
    'dn[cd]\\b|stop(?:ped)?\\b|block(?!chain)|abuse|invalid|clean|dead(?!line)|junk|trash|quarantin',
    'disabl|cancel|delet|erased|remov|churn|suspen|ban\\b|banned|exclu(?!siv)|revok|withdr|reject|refus|declin|forbid',
    'den(?:y|ied)|left\\b|leav|quit\\b|inactiv|ended|expire|lapse|archiv|gone\\b|paus|snooz|h[eo]ld\\b|frozen',
    'lock(?!er|down)|muted?\\b|forg[eo]t|object(?:ed|ion)|terminat|resign|deceas|died\\b|kue?ndig|ausgetragen',
    'exit\\b|depart(?!(?:e|a)?ment)|expir(?:y|ation|es)|(?:valid|member|active|until) (?:until|to)\\b|end(?:ing)? date|last (?:working )?day',
    'supprim|bloque|inactif|annul|radi(?:e|ation)\\b|sortie|baja\\b|salida|eliminad|rebotad|rechaz',
  ),
]

/** A name that has one of these words says whether a person stays. */
const STANDING: readonly RegExp[] = [
  /^ (?:type|state|standing|(?:(?:e ?)?mail )?opt|typ|zustand|estado|etat) $/,
  anywhere(
    '(?<!ad)opt(?:ed|s)? ?in(?!g)|stat(?:us|ut)|subscribed|consent|einwillig|zustimm|allowed|gdpr|dsgvo|rgpd|is ?(?:active|enabled)',
  ),
  begun(
    'subscribe |subscriptions? $|subscri(?:ber|ption) (?:type|state)|subscriber $|active |(?:activated|confirmed|verified) $|enabled|accept|marketing|permission|allow',
    'agree|receiv|(?:newsletter|mailing|digest)s? ?(?:on )?$|(?:want|send)s? ?(?:e ?)?(?:mail|news)|mailable|emailable|contactable|reachable',
    'deliverab|can ?(?:e ?mail|mail|contact)|valid (?:e ?mail )?$|subscriptions? on $',
    'aktiv |aktiviert |berechtig|abonniert|angemeldet|erlaubnis|actif |abonne|activ[oa] |suscrit|acepta|autoriza',
  ),
]

/** Where from and by which link somebody agreed does not say whether that holds. */
const OF_SOMETHING_ELSE = /(?: |optin|subscribed|consent)(?:ip|ids?|url|uri|link|source|origin|count) $/
/** When they agreed does say so if what stands there is no date. `newsletter_on` may be a day, or yes and no. */
const WHEN = /(?:date|time|datum|fecha) $|(?: |ed|optin|consent)at $/

const has = (expressions: readonly RegExp[], name: string): boolean => expressions.some((one) => one.test(name))

export const columnSense = (name: string): ColumnSense => {
  const padded = ` ${plainWords(name)} `
  if (has(LEAVING, padded)) return 'leaving'
  if (OF_SOMETHING_ELSE.test(padded)) return 'other'
  if (!has(STANDING, padded)) return isPart(name) ? 'part' : 'other'
  if (WHEN.test(padded)) return 'dated'
  return RECEIVING.test(padded) ? 'receiving' : 'standing'
}

/** In one that says what people receive, nothing may be all that is left. */
const RECEIVING = / receiv/

/** Objects within objects that are looked into. */
export const DEEPEST = 12

/** No to `newsletter.weekly` is no to a part of `newsletter`. */
const isPart = (name: string): boolean =>
  name
    .split('.', DEEPEST)
    .slice(0, -1)
    .some((whole) => has(STANDING, ` ${plainWords(whole)} `))

/** Whether the values of a column are days or times, by its name. */
export const saysWhen = (name: string): boolean =>
  / on $/.test(` ${plainWords(name)} `) || WHEN.test(` ${plainWords(name)} `)

const anyOf = (...lists: readonly string[]): RegExp => new RegExp(`^(?:${lists.join('|')})$`)

const LEFT_BEGINS = new RegExp(
  `^(?:un ?sub|opt(?:ed)? ?out|desub|(?:hard|soft) ?bounc|spam ?complain|desinscri|desabonn|desuscri|resili(?:e(?!n)|ation)|${ELSEWHERE})`,
)
const LEFT = anyOf(
  'churned|inactive|cleaned|bounced?|complained|complaint|spam|suppressed|(?:manual )?suppression|disabled|gone|lapsed|ended',
  'blocked|(?:block|black) ?listed|cancell?ed|deleted|removed|deactivated|suspended|banned|archived|undeliverable|revoked',
  'held|on ?hold|no ?mail|paused|unreachable|junk|abgelehnt|terminated|resigned|deceased|ausgetreten|ausgeschieden|verstorben',
  'no[nt] ?subscribed|withdrawn|refused|(?:do ?not|dont) (?:contact|mail|e ?mail|send)',
  'abgemeldet|abbestellt|gesperrt|gekue?ndigt|geloe?scht|inaktiv|widerrufen',
  'inactif|supprime|bloque|annule|(?:dado de )?baja|cancelado|inactivo|eliminado|bloqueado|rebotado',
)
const NO = anyOf('no|false|f|n|0|off|out|never|none|nein|falsch|non|faux|falso')
const YES = anyOf(
  'yes|true|t|y|1|on|in|x|ok|always|ja|wahr|oui|vrai|si|verdadero|e ?mail',
  'activ(?:e|ated)|subscribed|subscriber|(?:un)?confirmed|unactivated|regular|enabled|pending|new|live|current|normal',
  '(?:single |double )?opt ?in|opted in|free|paid|premium|gift|trial(?:ing)?|comped|complimentary|valid|verified',
  'member|customer|aktiv|abonniert|angemeldet|bestatigt|actif|abonne|confirme|activo|suscrito|confirmado',
)
const MONTH = '(?:jan|ene|feb|fev|mar|apr|avr|abr|ma[iy]|ju[inl]|aug|aou|ago|sep|o[ck]t|nov|de[cz]|dic)\\p{L}*'
const DAY = `\\d{4} \\d{1,2} \\d{1,2}|\\d{1,2} \\d{1,2} (?:\\d\\d){1,2}|\\d{1,2} ${MONTH} \\d{4}|${MONTH} \\d{1,2} \\d{4}`
/** A day, with or without a time; or digits alone, as 20260131 or seconds since 1970. */
const DATE = new RegExp(
  `^(?:(?:mon|tue|wed|thu|fri|sat|sun)\\p{L}* )?(?:${DAY})(?:[ tz\\d]|[ap]m|utc|gmt|uhr)*$|^(?:(?:19|20)\\d{6}|\\d{9,13})$`,
  'u',
)

/**
 * What a value of a column means that is not used. In a column about whether or since when people stay, what is not
 * understood is unclear. In any other, a word for having left counts, alone or in a list, and no to a part of something.
 */
export const valueSense = (value: string, column: ColumnSense): ValueSense => {
  if (value.split(/[,;|]/).map(plainWords).some(isLeft)) return 'left'
  if (column === 'other') return 'harmless'
  if (value.trim() === '') return column === 'receiving' ? 'unclear' : 'harmless'
  const said = plainWords(value)
  if (NO.test(said)) return 'left'
  return column === 'part' || YES.test(said) || DATE.test(said) ? 'harmless' : 'unclear'
}

const isLeft = (said: string): boolean => LEFT_BEGINS.test(said) || LEFT.test(said)
