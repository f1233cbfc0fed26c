-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN     "rotations" INTEGER;

-- CreateTable
CREATE TABLE "Restore" (
    "id" TEXT NOT NULL,
    "backupAt" TIMESTAMP(3) NOT NULL,
    "restoredAt" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Restore_pkey" PRIMARY KEY ("id")
);
