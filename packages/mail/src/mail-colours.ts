import { legibleOn, textOn } from '@rollcall/platform-node'

/** The colours of a mail, each as `#rrggbb`. */
export interface MailColours {
  /** Behind the card, and the card. */
  readonly ground: string
  readonly surface: string
  readonly line: string
  readonly text: string
  readonly quiet: string
  /** Buttons; and the text on buttons. */
  readonly accent: string
  readonly onAccent: string
  /** Links, and other text in the accent. */
  readonly link: string
}

const LIGHT: MailColours = {
  ground: '#f2f4f7',
  surface: '#ffffff',
  line: '#c3cad5',
  text: '#1c2430',
  quiet: '#5b6472',
  accent: '#1a56b0',
  onAccent: '#ffffff',
  link: '#1a56b0',
}

const DARK: MailColours = {
  ground: '#15181d',
  surface: '#20252c',
  line: '#5b6472',
  text: '#e8eaed',
  quiet: '#aab2bd',
  accent: '#8ab4f8',
  onAccent: '#0b1d2d',
  link: '#8ab4f8',
}

/** As templates have them; with the accent of a feed, text on it and text in it stays legible. */
export const coloursWith = (accent: string | undefined): MailColours & { readonly dark: MailColours } => {
  const on = (ground: MailColours): MailColours =>
    accent === undefined
      ? ground
      : { ...ground, accent, onAccent: textOn(accent), link: legibleOn(accent, ground.surface) }
  return { ...on(LIGHT), dark: on(DARK) }
}
