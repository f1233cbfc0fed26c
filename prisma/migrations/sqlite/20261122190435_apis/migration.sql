-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN "resources" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "Api" (
    "identifier" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "signingAlg" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Api_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Api_teamId_idx" ON "Api"("teamId");
