-- AlterTable
ALTER TABLE "AppKey" ADD COLUMN "lastUsedAt" DATETIME;

-- CreateTable
CREATE TABLE "AppUsage" (
    "appId" TEXT NOT NULL,
    "day" DATETIME NOT NULL,
    "what" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("appId", "day", "what"),
    CONSTRAINT "AppUsage_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "AppUsage_day_idx" ON "AppUsage"("day");
