-- No statement finds a session by its public id alone.
DROP INDEX "Session_publicId_key";

-- The rows of attempts are small, so they are stored in the index of their keys (https://sqlite.org/withoutrowid.html).
-- Prisma's model cannot say that.
CREATE TABLE "new_Attempt" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL,
    "expire" DATETIME,
    "heldUntil" BIGINT NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO "new_Attempt" ("key", "points", "expire", "heldUntil") SELECT "key", "points", "expire", "heldUntil" FROM "Attempt" ORDER BY "key";
DROP TABLE "Attempt";
ALTER TABLE "new_Attempt" RENAME TO "Attempt";
CREATE INDEX "Attempt_expire_idx" ON "Attempt"("expire");
