-- AlterTable
ALTER TABLE "Session" ADD COLUMN "firstId" TEXT;

-- CreateTable
CREATE TABLE "LogoutDelivery" (
    "appId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("appId", "sessionId"),
    CONSTRAINT "LogoutDelivery_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A column with a default is added in place.
ALTER TABLE "Authorization" ADD COLUMN "endsWithSession" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Authorization_sessionId_idx" ON "Authorization"("sessionId");

-- CreateIndex
CREATE INDEX "LogoutDelivery_nextAt_idx" ON "LogoutDelivery"("nextAt");

-- CreateIndex
CREATE INDEX "LogoutDelivery_until_idx" ON "LogoutDelivery"("until");
