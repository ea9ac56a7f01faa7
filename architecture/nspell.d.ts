// The package has no types: as much of it as is used here.
declare module 'nspell' {
  interface Speller {
    correct(word: string): boolean
    add(word: string): Speller
  }
  export default function nspell(dictionary: { readonly aff: Uint8Array; readonly dic: Uint8Array }): Speller
}
