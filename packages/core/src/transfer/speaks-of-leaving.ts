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
    ...[
      'unsub',
      'un subscri',
      'non ?subscri',
      'desub',
      'opt(?:ed|s)? ?out',
      'do ?not',
      'dont',
      'not\\b',
      'no \\w',
      'dn[cd]\\b',
    ],
    ...[
      'stop(?:ped)?\\b',
      'paus',
      'snooz',
      'hold\\b',
      'frozen',
      'lock',
      'muted?\\b',
      'junk',
      'trash',
      'quarantin',
      'ban\\b',
    ],
    ...['forbid', 'den(?:y|ied)', 'forg[eo]t', 'object(?:ed|ion)', 'terminat', 'resign', 'deceas', 'died\\b'],
    ...[
      'black ?list',
      'block',
      'suppress',
      'bounc',
      'complain',
      'spam',
      'abuse',
      'undeliver',
      'invalid',
      'clean',
      'dead',
    ],
    ...[
      'disabl',
      'cancel',
      'delet',
      'erased',
      'remov',
      'churn',
      'suspen',
      'bann',
      'exclu',
      'revok',
      'withdr',
      'reject',
    ],
    ...[
      'refus',
      'declin',
      'left\\b',
      'leav',
      'quit\\b',
      'inactiv',
      'deactiv',
      'ended',
      'expire',
      'lapse',
      'archiv',
      'gone\\b',
    ],
    ...['abgemeld', 'abmeld', 'abbestell', 'gesperrt', 'gekundigt', 'kundig', 'widerruf', 'geloscht', 'inaktiv'],
    ...['desinscri', 'desabonn', 'desinscripc', 'desuscri', 'supprim', 'bloque', 'inactif', 'annul', 'refuse'],
    ...['baja\\b', 'cancelad', 'eliminad', 'bloquead', 'rebotad', 'rechaz'],
  ].join('|')})`,
)

/** A name that has one of these words says whether a person stays. */
const STANDING_NAME = new RegExp(
  `^(?:type|state|standing|typ|zustand|estado|etat)$| (?:${[
    ...[
      'status',
      'statut',
      'subscribed',
      'subscriptions? $',
      'subscri(?:ber|ption) (?:type|state)',
      'active ',
      'enabled',
    ],
    ...[
      'accept',
      'opt(?:ed|s)? ?in',
      'marketing',
      'consent',
      'permission',
      'allow',
      'agree',
      'receiv',
      'newsletters? $',
    ],
    ...[
      'mailable',
      'emailable',
      'contactable',
      'reachable',
      'aktiv ',
      'abonniert',
      'angemeldet',
      'actif ',
      'abonne',
      'activ[oa] ',
    ],
    ...['suscrit', 'erlaubnis', 'einwilligung', 'consentimiento'],
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

const LEFT_BEGINS =
  /^(?:un ?sub|opt(?:ed)? ?out|desub|(?:hard|soft) ?bounc|spam ?complain|(?:do ?not|dont) (?:contact|e ?mail|mail|send)|desinscri|desabonn|desuscri)/
const LEFT = new Set([
  ...[
    'churned',
    'inactive',
    'cleaned',
    'bounced',
    'bounce',
    'complained',
    'complaint',
    'spam',
    'blocked',
    'block listed',
  ],
  ...[
    'blocklisted',
    'blacklisted',
    'black listed',
    'suppressed',
    'suppression',
    'manual suppression',
    'disabled',
    'gone',
  ],
  ...[
    'cancelled',
    'canceled',
    'deleted',
    'removed',
    'deactivated',
    'suspended',
    'banned',
    'archived',
    'lapsed',
    'ended',
  ],
  ...['undeliverable', 'non subscribed', 'nonsubscribed', 'not subscribed', 'revoked', 'withdrawn', 'refused'],
  ...['abgemeldet', 'abbestellt', 'gesperrt', 'gekundigt', 'geloscht', 'inaktiv', 'widerrufen'],
  ...['inactif', 'supprime', 'bloque', 'annule', 'baja', 'dado de baja', 'cancelado', 'inactivo', 'eliminado'],
  ...['bloqueado', 'rebotado'],
])
const NO = new Set(['no', 'false', 'f', 'n', '0', 'off', 'never', 'none', 'nein', 'falsch', 'non', 'faux', 'falso'])
const YES = new Set([
  ...['yes', 'true', 't', 'y', '1', 'on', 'x', 'ok', 'always', 'ja', 'wahr', 'oui', 'vrai', 'si', 'verdadero'],
  ...[
    'active',
    'activated',
    'subscribed',
    'subscriber',
    'confirmed',
    'unconfirmed',
    'unactivated',
    'regular',
    'enabled',
  ],
  ...[
    'pending',
    'new',
    'opted in',
    'opt in',
    'optin',
    'single opt in',
    'double opt in',
    'free',
    'paid',
    'premium',
    'gift',
  ],
  ...[
    'trial',
    'trialing',
    'comped',
    'complimentary',
    'valid',
    'verified',
    'normal',
    'live',
    'current',
    'member',
    'customer',
  ],
  ...[
    'aktiv',
    'abonniert',
    'angemeldet',
    'bestatigt',
    'actif',
    'abonne',
    'confirme',
    'activo',
    'suscrito',
    'confirmado',
  ],
])
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/

/**
 * What a value of a column means that is not used. In a column about whether people stay, what is not understood is unclear;
 * in any other, it is harmless unless it, or one of a list, is a word for having left.
 */
export const valueSense = (value: string, column: ColumnSense): ValueSense => {
  if (value.split(/[,;|]/).map(plain).some(isLeft)) return 'left'
  if (column === 'other' || value.trim() === '') return 'harmless'
  const words = plain(value)
  if (NO.has(words)) return 'left'
  return YES.has(words) || DATE.test(value.trim()) ? 'harmless' : 'unclear'
}

const isLeft = (words: string): boolean => LEFT_BEGINS.test(words) || LEFT.has(words)
