import type { Act } from '#lib/console/audit/act'

/** An app that one team offers to another. */
export type AppOffer = {
  id: string
  app: { id: string; name: string; kind: string }
  from: { id: string; name: string }
  to: { id: string; name: string }
  createdAt: Date
  expiresAt: Date
}

/** A new offer. */
export type NewOffer = { id: string; appId: string; fromTeamId: string; toTeamId: string; expiresAt: Date }

/** `not transferable`: the operator closed the app, it is being deleted, or an earlier transfer is not finished. */
export type Offered = 'offered' | 'unknown team' | 'offered before' | 'not transferable' | 'enough'
/** `closed`: the operator has closed the receiving team. `changed`: the app has another version than the one given. */
export type Accepted = 'accepted' | 'over' | 'closed' | 'changed' | 'not transferable' | 'enough'

/** A transfer as the receiving team sees it. */
export type Arrival = {
  id: string
  /** The name of the giving team; undefined if that team is deleted. */
  from: string | undefined
  acceptedAt: Date
  /** When the last authorization of the giving team had ended; null before. */
  settledAt: Date | null
  /** The time until which the map of identifiers can be read. */
  mapUntil: Date
}

/** The identifiers of a person for the giving and for the receiving team. */
export type MovedSubject = { old_sub: string; new_sub: string }

/** The acts of both teams; their members read only their own. */
type Acts = { giving: Act; receiving: Act }

/** Stores the offers and transfers of apps. Every change writes its acts in the same transaction. */
export type TransferStore = {
  /** Offers an app, unless it is offered already or its team has `most` open offers. */
  offer(offer: NewOffer, most: number, act: Act): Promise<Offered>
  /** Withdraws the offer of a team; false if it is over. */
  withdraw(fromTeamId: string, offerId: string, act: Act): Promise<boolean>
  /** Declines an offer to a team; false if it is over. */
  decline(toTeamId: string, offerId: string, acts: Acts): Promise<boolean>
  /** Returns the open offer of an app. */
  findOpen(appId: string, now: Date): Promise<AppOffer | undefined>
  /** Lists the open offers to a team, newest first. */
  listReceived(toTeamId: string, now: Date, most: number): Promise<AppOffer[]>
  findReceived(toTeamId: string, offerId: string, now: Date): Promise<AppOffer | undefined>
  /**
   * Moves the app to the receiving team and closes it, in one transaction, unless that team has `most` apps, or the app has
   * another version than the one that the caller has checked. A job then ends the authorizations and opens the app. A second call for the same offer changes nothing.
   */
  accept(
    offer: { id: string; toTeamId: string },
    rules: { most: number; mapUntil: Date; version: string | undefined },
    acts: Acts,
  ): Promise<Accepted>
  /** Returns the transfer by which the app came to this team, while its map can be read. */
  findArrival(appId: string, teamId: string, now: Date): Promise<Arrival | undefined>
  /** Returns a page of the map of a transfer, in the order of the old identifiers. */
  readMap(transferId: string, after: string, most: number): Promise<MovedSubject[]>
  /** Writes the act of a reading, unless the same reader has one after `since`. */
  noteRead(teamId: string, act: Act, since?: Date): Promise<void>
}

/** A transfer whose authorizations are not all ended. */
export type Unsettled = {
  id: string
  appId: string
  fromTeamId: string
  toTeamId: string
  acceptedAt: Date
  expiresAt: Date
}

/** Ends the authorizations that an app received before it changed teams (decision 0046). */
export type SettlingStore = {
  /** Returns transfers that were accepted before this time. */
  findUnsettled(acceptedBefore: Date, most: number): Promise<Unsettled[]>
  /** Handles a batch of people in one transaction; false when the transfer is settled. */
  settleSome(transfer: Unsettled, now: Date, rows: number): Promise<boolean>
}
