-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN "rotations" INTEGER;

-- CreateTable
CREATE TABLE "Restore" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "backupAt" DATETIME NOT NULL,
    "restoredAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL
);
