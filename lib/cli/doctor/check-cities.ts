import { readPlaces } from '#lib/account/activity/place'
import type { Config } from '#lib/server/settings/config'
import { type Finding, ok, warning, wrong } from './check.ts'

const oldAfterDays = 365

/** Says from which file the places of people's devices come, and whether it is old. */
export function checkCities({ citiesFile }: Config, now: Date): Finding {
  const name = 'places'
  if (citiesFile === undefined) return ok(name, 'are countries; CITIES_FILE adds cities.')
  try {
    const { buildEpoch, databaseType, ipVersion } = readPlaces(citiesFile).metadata
    const days = Math.floor((now.getTime() - buildEpoch.getTime()) / 86_400_000)
    if (!/city/i.test(databaseType))
      return warning(name, `${citiesFile} has the type “${databaseType}”.`, 'Download a file of cities instead.')
    const which = ipVersion === 4 ? ' of IPv4 addresses alone' : ''
    const message = `${citiesFile} (${databaseType}) names cities${which} and is ${days} days old.`
    return days <= oldAfterDays
      ? ok(name, message)
      : warning(name, message, 'Networks move: replace it with a newer file, and restart.')
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException
    return wrong(
      name,
      code ? `CITIES_FILE ${citiesFile} cannot be read (${code}).` : `CITIES_FILE ${message}.`,
      'It must be a file of cities in the format MMDB that the user of Postern can read.',
    )
  }
}
