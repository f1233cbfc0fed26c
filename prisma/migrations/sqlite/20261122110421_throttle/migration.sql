-- A column with a default is added in place: redefining "Person" would drop its index on look-alike names.
ALTER TABLE "Person" ADD COLUMN "knownVersion" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Attempt" ADD COLUMN "heldUntil" BIGINT NOT NULL DEFAULT 0;
