-- Introspection of an access token looks its person up here instead of reading the row (lib/db/oauth/token-store.ts).
CREATE INDEX "Person_inactive_idx" ON "Person" ("id") WHERE "disabledAt" IS NOT NULL OR "deleteAfter" IS NOT NULL;
