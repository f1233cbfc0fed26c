import { DecodingMode, HtmlEntityDecoder } from 'entities/decode'

/** The text that a character reference of HTML at this place stands for, and where it ends; undefined for an `&` that is only itself. */
export function readReference(
  html: string,
  at: number,
  isAttribute: boolean,
): { text: string; to: number } | undefined {
  let text = ''
  const decoder = new HtmlEntityDecoder((code) => {
    text += String.fromCodePoint(code)
  })
  decoder.startEntity(isAttribute ? DecodingMode.Attribute : DecodingMode.Legacy)
  // The longest name has 32 characters; number signs can have zeros in front.
  const written = decoder.write(html.slice(at, at + longest), 1)
  const length = written < 0 ? decoder.end() : written
  return length > 0 ? { text, to: at + length } : undefined
}

const longest = 60
