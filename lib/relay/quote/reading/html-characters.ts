import { DecodingMode, HtmlEntityDecoder } from 'entities/decode'

/** Decodes the HTML character reference at this place and returns its end; undefined for a plain `&`. */
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
