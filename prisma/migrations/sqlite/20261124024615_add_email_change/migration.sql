-- CreateTable
CREATE TABLE "EmailChange" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "personId" TEXT NOT NULL,
    "oldAddress" TEXT NOT NULL,
    "newAddress" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "undoHash" TEXT,
    "changedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "undoneAt" DATETIME,
    CONSTRAINT "EmailChange_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "EmailChange_undoHash_key" ON "EmailChange"("undoHash");

-- CreateIndex
CREATE INDEX "EmailChange_personId_idx" ON "EmailChange"("personId");

-- CreateIndex
CREATE INDEX "EmailChange_oldAddress_idx" ON "EmailChange"("oldAddress");

-- CreateIndex
CREATE INDEX "EmailChange_expiresAt_idx" ON "EmailChange"("expiresAt");
